/** Markdown of the model as elements: what it means, what it must never become, and how it grows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  advanceDocument,
  EMPTY_DOCUMENT,
  type MarkdownDocument,
} from "../../../../../src/ui/agent/markdown/markdown-document.ts";
import { vnodeHtml } from "../../../../support/ui/vnode-html.ts";

const SEED = 20_261_122;

const htmlOf = ({ blocks }: MarkdownDocument): string => vnodeHtml(blocks.map(({ vnode }) => vnode));

const whole = (text: string): string => htmlOf(advanceDocument(EMPTY_DOCUMENT, text, false));

const open = (text: string): string => htmlOf(advanceDocument(EMPTY_DOCUMENT, text, true));

/** The document after it has grown by `step` units at a time, still open. */
const grown = (text: string, step: number): MarkdownDocument =>
  Array.from({ length: Math.ceil(text.length / step) }, (_, index) => text.slice(0, (index + 1) * step)).reduce(
    (document, prefix) => advanceDocument(document, prefix, true),
    EMPTY_DOCUMENT,
  );

/** What is said behind a link. */
const at = (host: string): string => `<span class="markdown-place"> (${host})</span>`;

const OUT = 'rel="noopener noreferrer nofollow" target="_blank"';

describe("what it means", () => {
  it.each([
    ["# Title", "<h3>Title</h3>"],
    ["## a\n### b\n#### c\n##### d\n###### e", "<h3>a</h3><h4>b</h4><h5>c</h5><h6>d</h6><h6>e</h6>"],
    [
      "## a\n#### b\n### c\n# d\n> # e",
      '<h3>a</h3><h4>b</h4><h4>c</h4><h3>d</h3><blockquote dir="auto"><h4>e</h4></blockquote>',
    ],
    ["**a** *b* ~~c~~ `d`", "<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code></p>"],
    ["a\nb  \nc", "<p>a\nb<br>c</p>"],
    ["- a\n  - b\n- c", '<ul dir="auto"><li>a<ul dir="auto"><li>b</li></ul></li><li>c</li></ul>'],
    ["3. a\n4. b", '<ol dir="auto" start="3"><li>a</li><li>b</li></ol>'],
    ["- a\n\n- b", '<ul dir="auto"><li><p>a</p></li><li><p>b</p></li></ul>'],
    [
      "- [x] a\n- [ ] b",
      '<ul dir="auto"><li class="markdown-task"><input aria-label="Done" checked disabled type="checkbox"> a</li>' +
        '<li class="markdown-task"><input aria-label="To do" disabled type="checkbox"> b</li></ul>',
    ],
    [
      "```ts title\nlet a;\n```",
      '<figure class="markdown-code"><figcaption>ts</figcaption><pre tabIndex="0"><code><span class="code-keyword">let</span> a;</code></pre></figure>',
    ],
    [
      "```diff\n- a\n+ b\n\n c\n```",
      '<figure class="markdown-code"><figcaption>diff</figcaption><pre tabIndex="0"><code><span class="patch-line remove">- a\n</span>' +
        '<span class="patch-line add">+ b\n</span><span class="patch-line ">\n</span><span class="patch-line "> c</span></code></pre></figure>',
    ],
    [
      "    plain",
      '<figure class="markdown-code"><figcaption>Text</figcaption><pre tabIndex="0"><code>plain</code></pre></figure>',
    ],
    ["> a\n> > b", '<blockquote dir="auto"><p>a</p><blockquote dir="auto"><p>b</p></blockquote></blockquote>'],
    [
      "|a|b|\n|-|-:|\n|1<br>2|**3**|",
      '<div aria-label="Table" class="markdown-table" role="group" tabIndex="0"><table dir="auto"><thead><tr>' +
        '<th scope="col">a</th><th class="markdown-right" scope="col">b</th></tr></thead>' +
        '<tbody><tr><td>1<br>2</td><td class="markdown-right markdown-figure"><strong>3</strong></td></tr></tbody></table></div>',
    ],
    ["a\n\n---\n\nb", "<p>a</p><hr><p>b</p>"],
    ["&lt;b&gt; &amp; &#8364; &hellip; &nosuch;", "<p>&lt;b&gt; &amp; € … &amp;nosuch;</p>"],
    ["[a](https://x.y/z?b=1&amp;c=2)", `<p><a href="https://x.y/z?b=1&amp;c=2" ${OUT}>a</a>${at("x.y")}</p>`],
    ["https://x.y/z", `<p><a href="https://x.y/z" ${OUT}>https://x.y/z</a></p>`],
    ["<me@x.y>", `<p><a href="mailto:me@x.y" ${OUT}>me@x.y</a></p>`],
    ["[a][1]\n\n[1]: https://x.y/", `<p><a href="https://x.y/" ${OUT}>a</a>${at("x.y")}</p>`],
    [
      "[**paypal**.com](https://evil.test/)",
      `<p><button aria-haspopup="dialog" class="markdown-asks" data-href="https://evil.test/" type="button"><strong>paypal</strong>.com</button>${at("evil.test")}</p>`,
    ],
    ["[AAPL](/stocks?q=AAPL)", '<p><a href="/stocks?q=AAPL">AAPL</a></p>'],
  ])("%j", (text, html) => {
    expect(whole(text)).toBe(html);
  });
});

describe("what it never becomes", () => {
  it.each([
    ["[a](javascript:alert(1))", "<p>a</p>"],
    ["[a](JaVaScRiPt:alert(1))", "<p>a</p>"],
    ["[a](&#106;avascript:alert(1))", "<p>a</p>"],
    ["[a](java&#x0A;script:alert(1))", "<p>a</p>"],
    ["[a](<\u0001javascript:alert(1)>)", "<p>a</p>"],
    ["[a](data:text/html,<script>1</script>)", "<p>a</p>"],
    ["[a](vbscript:x)", "<p>a</p>"],
    ["[a](file:///etc/passwd)", "<p>a</p>"],
    ["[a](//evil.example)", "<p>a</p>"],
    ["[a](/\\evil.example)", "<p>a</p>"],
    ["[a](/.//evil.example/login)", "<p>a</p>"],
    ["[a](/..//evil.example)", "<p>a</p>"],
    ["[a](/x/..//evil.example)", "<p>a</p>"],
    ["[a](/%2e//evil.example)", "<p>a</p>"],
    ["[a](relative/path)", "<p>a</p>"],
    ["[a](/t/%)", "<p>a</p>"],
    ["[a](/t/%ff)", "<p>a</p>"],
    ["[a](/_framework/auth/sign-out)", "<p>a</p>"],
    ["[a](/x/../api/agent/turn)", "<p>a</p>"],
    ["<javascript:alert(1)>", "<p>javascript:alert(1)</p>"],
    ["[a][1]\n\n[1]: javascript:alert(1)", "<p>a</p>"],
    ["<img src=x onerror=alert(1)>", '<pre class="markdown-html">&lt;img src=x onerror=alert(1)&gt;</pre>'],
    ["a <img src=x onerror=alert(1)> b", "<p>a &lt;img src=x onerror=alert(1)&gt; b</p>"],
    ["<script>alert(1)</script>", '<pre class="markdown-html">&lt;script&gt;alert(1)&lt;/script&gt;</pre>'],
    ["<!-- c -->", '<pre class="markdown-html">&lt;!-- c --&gt;</pre>'],
    ["&lt;script&gt;", "<p>&lt;script&gt;</p>"],
    ["![a](https://x.y/p.png)", `<p><a href="https://x.y/p.png" ${OUT}>a</a>${at("x.y")}</p>`],
    ["![a](data:image/png;base64,AA)", "<p>a</p>"],
    ["[![a](https://x.y/p.png)](https://x.y/)", `<p><a href="https://x.y/" ${OUT}>a</a>${at("x.y")}</p>`],
    [
      '```"><script>\nx\n```',
      '<figure class="markdown-code"><figcaption>&quot;&gt;&lt;script&gt;</figcaption><pre tabIndex="0"><code>x</code></pre></figure>',
    ],
  ])("%j", (text, html) => {
    expect(whole(text)).toBe(html);
  });

  it("is any element but these, whatever is written", () => {
    const pieces = fc.constantFrom(
      ..."*_`~[]()<>!|#-+&;: \n\"'/\\=1a.".split(""),
      "http://",
      "javascript:",
      "<a href=",
    );
    const allowed =
      /^(?:p|h[3-6]|strong|em|del|code|br|a|span|button|input|ul|ol|li|blockquote|figure|figcaption|pre|hr|div|table|thead|tbody|tr|th|td)$/;
    const names = (html: string) => [...html.matchAll(/<\/?([a-z0-9]+)/g)].map(([, name]) => name ?? "");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const html = whole(parts.join(""));
        expect(names(html).filter((name) => !allowed.test(name))).toEqual([]);
        expect(html).not.toMatch(/href="(?!https?:|mailto:|\/)/);
        expect(html).not.toMatch(
          /<button (?!aria-haspopup="dialog" class="markdown-asks" data-href="[^"]*" type="button">)/,
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe("while it is written", () => {
  it.each([
    ["a **bo", "<p>a <strong>bo</strong></p>"],
    ["a **bold*", "<p>a <strong>bold</strong></p>"],
    ["**a _b", "<p><strong>a <em>b</em></strong></p>"],
    ["x `co", "<p>x <code>co</code></p>"],
    ["see [the page](https://x", "<p>see the page</p>"],
    ["see ![the pict", "<p>see the pict</p>"],
    ["| a | b |\n|--", ""],
    ["text\n\n| a | b |\n", "<p>text</p>"],
    ["para\n-", "<p>para</p>"],
    ["a\n\n1. x\n2.", '<p>a</p><ol dir="auto"><li>x</li></ol>'],
    ["```j", '<figure class="markdown-code"><figcaption>j</figcaption><pre tabIndex="0"><code></code></pre></figure>'],
    [
      "```\nx\n``",
      '<figure class="markdown-code"><figcaption>Text</figcaption><pre tabIndex="0"><code>x</code></pre></figure>',
    ],
    ["2*3 snake_case", "<p>2*3 snake_case</p>"],
  ])("%j does not flash", (text, html) => {
    expect(open(text)).toBe(html);
  });
});

const SAMPLE = [
  "# Holdings\r\n\r\nYou own **two** stocks, see [the list](/stocks) and [notes][n].\n\n",
  "1. AAPL\n\n   10 at `180`\n\n2. TSLA\n   - [ ] sell\n   - [x] watch\n\n",
  "| Symbol | Value |\n|---|---:|\n| AAPL | 1,800 |\n\n> quoted\nlazily\n\n```ts\nconst a = `x`;\n\n- no list\n```\n",
  "Setext\n---\n\nlast _words_ ![p](https://x.y/p.png)\n\n[n]: https://x.y/notes 'N'\n",
].join("");

describe("a text that grows", () => {
  it.each([1, 2, 3, 7, 40])("ends as if it had come in one piece, %i at a time", (step) => {
    expect(htmlOf(advanceDocument(grown(SAMPLE, step), SAMPLE, false))).toBe(whole(SAMPLE));
  });

  it("never throws, and ends as if it had come in one piece, whatever is written", () => {
    const pieces = fc.constantFrom(
      "*",
      "_",
      "`",
      "```\n",
      "[a]",
      "](",
      "[1]: /x\n",
      "\n",
      "\n\n",
      "- ",
      "1. ",
      "> ",
      "|",
      "|-|\n",
      "  ",
      "a",
      "<b>",
      "# ",
      "\r\n",
      "👋🏽",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), (parts, step) => {
        const text = parts.join("");
        expect(htmlOf(advanceDocument(grown(text, step), text, false))).toBe(whole(text));
      }),
      { numRuns: 300, seed: SEED },
    );
  });

  it("keeps its finished blocks, and their vnodes", () => {
    const before = advanceDocument(EMPTY_DOCUMENT, "# a\n\nb\n\nc is", true);
    const after = advanceDocument(before, "# a\n\nb\n\nc is long", true);
    expect(after.blocks.map((block, index) => block === before.blocks[index])).toEqual([true, true, false]);
    const end = advanceDocument(after, "# a\n\nb\n\nc is long", false);
    expect(end.blocks.map((block, index) => block === after.blocks[index])).toEqual([true, true, true]);
  });

  it("reads the settled part once", () => {
    const text = `${"A paragraph.\n\n".repeat(2_000)}The last`;
    const document = grown(text, 1_000);
    expect(document.settledCount).toBeGreaterThan(1_990);
    expect(document.blocks).toHaveLength(2_001);
  });

  it("begins anew when the text is another", () => {
    const other = advanceDocument(grown("# a\n\nb\n\nc\n\nd", 1), "# x", true);
    expect(htmlOf(other)).toBe("<h3>x</h3>");
  });

  it.each([
    ["quotes", "> ".repeat(50_000)],
    ["lists", Array.from({ length: 400 }, (_, depth) => `${"  ".repeat(depth)}- x\n`).join("")],
    ["marks", "_a*b**c".repeat(20_000)],
    ["brackets", "[".repeat(100_000)],
  ])("reads a hostile text of many %s", (_, text) => {
    expect(whole(text)).not.toBe("");
  });
});
