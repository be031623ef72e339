/** The styles of charts. */
export const CHART_STYLES = `
.chart { display: grid; gap: var(--s2); min-width: 0; margin-top: var(--s5); }
.chart-head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--s2); }
.chart-ranges { display: flex; gap: 2px; }
.chart-ranges .btn { min-width: 44px; padding: 0 8px; }
.chart-ranges .btn[aria-pressed="true"] { background: var(--accent-soft); color: var(--accent); }
.chart-read { display: grid; min-height: 22px; font-variant-numeric: tabular-nums; }
.chart-read > * { grid-area: 1 / 1; }
.chart-read .off { visibility: hidden; }
.chart-plot { position: relative; height: 220px; margin-inline-end: 64px; border-radius: var(--r-s); cursor: crosshair; touch-action: pan-y; }
.chart-plot:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.chart-plot svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.chart-plot path, .chart-plot line { vector-effect: non-scaling-stroke; fill: none; }
.chart-grid { stroke: var(--line); }
.chart-line { stroke: var(--accent); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.chart-mark { stroke: var(--warn); stroke-width: 1.5; stroke-dasharray: 5 4; }
.chart-mark.sell { stroke-dasharray: 12 4; }
.chart-mark.cost { stroke: var(--muted); stroke-dasharray: 2 3; }
.chart-cross { stroke: var(--line-strong); }
.chart-dot { position: absolute; width: 9px; height: 9px; margin: -4.5px; border: 2px solid var(--surface); border-radius: 50%;
  background: var(--accent); box-sizing: content-box; margin: -6.5px; pointer-events: none; }
.chart-tick { position: absolute; inset-inline-start: calc(100% + 6px); translate: 0 -50%; font-size: 12px; color: var(--muted);
  font-variant-numeric: tabular-nums; white-space: nowrap; pointer-events: none; }
.chart-days { display: flex; justify-content: space-between; margin-inline-end: 64px; font-size: 12px; color: var(--muted); }
.chart-lines { display: flex; flex-wrap: wrap; gap: 2px var(--s4); margin: 0; padding: 0; list-style: none; font-size: 13px; color: var(--muted); }
.chart-lines svg { width: 22px; height: 2px; margin-inline-end: 6px; vertical-align: middle; }
.chart-lines line { stroke-width: 2; }
.chart-table { max-height: 280px; overflow: auto; border: 1px solid var(--line); border-radius: var(--r-s); }
.chart-table table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
.chart-table th, .chart-table td { padding: 6px 12px; text-align: end; border-bottom: 1px solid var(--line); }
.chart-table tr > :first-child { text-align: start; font-weight: 400; }
.chart-table thead th { position: sticky; top: 0; background: var(--surface); font-weight: 600; }
.chart-note { font-size: 12.5px; color: var(--muted); }
.chart-wait { height: 220px; }
.chart[aria-busy="true"] .chart-plot { opacity: 0.6; }
@media (forced-colors: active) { .chart-line { stroke: CanvasText; } .chart-mark, .chart-cross { stroke: GrayText; } }
`;
