// SPDX-License-Identifier: Apache-2.0

/// The contrast of every text on a page, as defined by WCAG 2.2.
enum Contrast {
    /// The parts of a color, and its lightness.
    private static let functions = """
        const parse = (c) => (c.match(/[\\d.]+/g) || []).map(Number);
        const light = ([r, g, b]) => {
          const f = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
          return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
        };
        """

    /// An expression that returns the contrast between the two parts of a bar of a day: that of the picture in grey.
    static let barScript = """
        (() => {
          \(functions)
          const bar = getComputedStyle(document.querySelector(".days a[data-down='2']")).backgroundImage;
          const [a, b] = [...new Set(bar.match(/rgb\\([^)]*\\)/g))].map(c => light(parse(c))).sort((x, y) => y - x);
          return (a + 0.05) / (b + 0.05);
        })()
        """

    /// An expression that returns the texts with too little contrast, or an empty result.
    static let script = """
        (() => {
          \(functions)
          const ground = (e) => {
            for (; e; e = e.parentElement) {
              const c = parse(getComputedStyle(e).backgroundColor);
              if (c.length === 3 || c[3] === 1) return c;
            }
            return [255, 255, 255];
          };
          const faint = [];
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          while (walker.nextNode()) {
            const e = walker.currentNode.parentElement;
            if (!walker.currentNode.data.trim() || !e.checkVisibility() || e.closest("svg, script, .unseen")) continue;
            const style = getComputedStyle(e);
            const [a, b] = [light(parse(style.color)), light(ground(e))].sort((x, y) => y - x);
            const size = parseFloat(style.fontSize), bold = Number(style.fontWeight) >= 700;
            const least = size >= 24 || (bold && size >= 18.66) ? 3 : 4.5;
            const ratio = (a + 0.05) / (b + 0.05);
            if (ratio < least) faint.push(`${walker.currentNode.data.trim()}: ${ratio.toFixed(2)}`);
          }
          return faint.join("; ");
        })()
        """
}
