/** The details of a stock: over the list, or beside it where there is room (decision 0159). Apart from other paths: no first paint needs it. */
export const stockPath = (stockId: string): string => `/stocks?dialog=detail&id=${stockId}`;
