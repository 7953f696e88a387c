// SPDX-License-Identifier: Apache-2.0

/// Rules of WCAG 2.2, level AA, that can be computed, besides contrast.
enum AccessibilityRules {
    /// An expression that returns the violations, or an empty result.
    static let script = """
        (() => {
          const found = [], all = (s) => [...document.querySelectorAll(s)].filter((e) => e.checkVisibility());
          const say = (rule, e) => found.push(`${rule}: ${e.outerHTML.slice(0, 120)}`);
          // 3.1.1, 2.4.2
          if (!document.documentElement.lang) found.push("no language");
          if (!document.title) found.push("no title");
          // 4.1.1: references need unique targets.
          const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
          for (const id of new Set(ids.filter((id, i) => ids.indexOf(id) !== i))) found.push(`id ${id} occurs twice`);
          for (const e of document.querySelectorAll("[aria-labelledby], [aria-describedby]"))
            for (const id of `${e.getAttribute("aria-labelledby") || ""} ${e.getAttribute("aria-describedby") || ""}`.split(" "))
              if (id && !document.getElementById(id)) say(`no element ${id}`, e);
          // 4.1.2, 1.3.1: every control has a name.
          for (const e of all("a, button, summary"))
            if (!(e.textContent.trim() || e.getAttribute("aria-label"))) say("no name", e);
          for (const e of all("input:not([type=hidden]), select"))
            if (!e.labels.length && !e.getAttribute("aria-label")) say("no label", e);
          for (const e of all("svg"))
            if (!e.closest("[aria-hidden=true]") && !(e.getAttribute("role") === "img" && (e.getAttribute("aria-label") || e.getAttribute("aria-labelledby"))))
              say("a drawing without a text", e);
          for (const e of all("table")) if (!e.querySelector("th[scope]")) say("a table without headers", e);
          // 1.3.1: headings descend one level at a time, from a single first one.
          const levels = all("h1, h2, h3, h4").map((e) => Number(e.tagName[1]));
          if (levels.filter((l) => l === 1).length !== 1) found.push(`headings of level 1: ${levels}`);
          levels.forEach((l, i) => { if (i && l > levels[i - 1] + 1) found.push(`heading levels ${levels}`); });
          // 2.5.8: targets of at least 24 by 24 pixels, except links inside a sentence.
          for (const e of all("a, button, summary, input:not([type=hidden])")) {
            const box = e.getBoundingClientRect();
            const isInline = getComputedStyle(e).display === "inline" && e.parentElement.textContent.trim() !== e.textContent.trim();
            const isUnseen = e.classList.contains("skip") || e.tabIndex < 0;
            if (!isInline && !isUnseen && (box.width < 24 || box.height < 24)) say(`target ${box.width} x ${box.height}`, e);
          }
          // 1.4.10: content reflows without scrolling in two dimensions.
          if (document.documentElement.scrollWidth > innerWidth) found.push("wider than the window");
          // 4.1.3: there is a live region for status messages.
          if (!document.querySelector("[aria-live], [role=status]")) found.push("no live region");
          return found.join("; ");
        })()
        """
}
