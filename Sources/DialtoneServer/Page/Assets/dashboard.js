// SPDX-License-Identifier: Apache-2.0

// Keeps the page up to date. Without it, the page reloads at intervals. The server generates all text: the script only
// requests the parts again when an event reports a change.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const link = $("link"), announcer = $("announcer");
  const dated = { clock: { timeStyle: "medium" }, day: { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" },
    minute: { hour: "numeric", minute: "2-digit" }, date: { month: "short", day: "numeric" } };
  let said = "", waiting = false, asking = null, later = 0, answered = Date.now();

  const length = (s) => {
    s = Math.max(0, Math.round(s));
    const two = (a, x, b, y) => b ? `${a} ${x} ${b} ${y}` : `${a} ${x}`;
    if (s < 1) return "just now";
    if (s < 60) return `${s} s`;
    if (s < 3600) return two(Math.floor(s / 60), "min", s % 60, "s");
    if (s < 86400) return two(Math.floor(s / 3600), "h", Math.floor(s / 60) % 60, "min");
    return two(Math.floor(s / 86400), "d", Math.floor(s / 3600) % 24, "h");
  };
  const local = (text, style) => new Date(text).toLocaleString([], dated[style] || dated.clock);
  const localize = (root) => {
    for (const e of root.querySelectorAll("time[datetime], [data-time]"))
      e.textContent = local(e.dateTime || e.dataset.time, e.dataset.style);
    // The titles of the spans have times in the server's time zone.
    for (const e of root.querySelectorAll("[data-said] > title")) e.remove();
  };
  const age = () => {
    for (const e of document.querySelectorAll(".age"))
      e.textContent = length((Date.now() - Date.parse(e.dataset.since)) / 1000);
  };
  const due = () => {
    for (const e of document.querySelectorAll(".due")) {
      const rest = (Date.parse(e.dataset.due) - Date.now()) / 1000;
      e.textContent = rest < 1 ? "a moment" : length(rest);
      if (rest < 0 && document.body.dataset.link === "live") setTimeout(refresh, 500);
    }
  };
  const state = (name, words) => { document.body.dataset.link = link.dataset.link = name; link.textContent = words; };
  // Shows that the state is old, until the server answers again.
  const lost = () => {
    if (link.dataset.link === "lost") return;
    const last = $("verdict-text").textContent, icon = $("icon");
    state("lost", "no answer");
    $("verdict").replaceChildren($("lost").content.cloneNode(true));
    delete $("verdict").dataset.html;
    $("verdict").querySelector("time").dateTime = new Date(answered).toISOString();
    $("verdict").querySelector(".last").textContent = last;
    localize($("verdict"));
    document.title = `${$("verdict-text").textContent} · ${document.querySelector(".machine").textContent}`;
    icon.href = icon.dataset.lost;
    tell($("verdict").querySelector(".since").textContent);
  };

  const tell = (sentence) => {
    if (sentence && sentence !== said) { said = sentence; announcer.textContent = sentence; }
  };

  // Replaces a part, and keeps its open details and the focus.
  const put = (id, html) => {
    const e = $(id);
    if (!e || e.dataset.html === html) return;
    const open = [...e.querySelectorAll("details")].map((d) => d.open);
    const focus = e.contains(document.activeElement)
      ? [...e.querySelectorAll("a, button, summary, input")].indexOf(document.activeElement) : -1;
    e.innerHTML = html;
    e.dataset.html = html;
    [...e.querySelectorAll("details")].forEach((d, i) => { d.open = open[i] || false; });
    if (focus >= 0) [...e.querySelectorAll("a, button, summary, input")][focus]?.focus();
    localize(e);
  };
  const show = (view) => {
    for (const id in view.parts) put(id, view.parts[id]);
    document.title = view.title;
    document.body.dataset.severity = view.severity;
    if ($("icon").href !== view.icon) $("icon").href = view.icon;
    const cancel = document.querySelector("[data-cancel]");
    if (cancel) cancel.hidden = !view.underWay;
    for (const b of document.querySelectorAll("#scenes button"))
      b.setAttribute("aria-pressed", String(b.value === (view.scene || "")));
    tell(view.sentence);
    clearTimeout(later);
    if (!view.isComplete) later = setTimeout(refresh, 1000);
    age();
    due();
  };
  // One request at a time; a change in the meantime causes one more.
  const refresh = async () => {
    if (asking) { waiting = true; return asking; }
    asking = (async () => {
      try {
        const answer = await fetch("/parts" + location.search,
          { headers: { Accept: "application/json" }, signal: AbortSignal.timeout(10000) });
        if (answer.status === 401) return location.reload();
        answered = Date.now();
        if (answer.ok) {
          const view = await answer.json();
          if (link.dataset.link === "lost") state("static", "connecting");
          show(view);
        }
      } catch { lost(); }
    })();
    await asking;
    asking = null;
    if (waiting) { waiting = false; return refresh(); }
  };

  const listen = () => {
    const events = new EventSource("/events");
    events.onopen = async () => { await refresh(); if (link.dataset.link !== "lost") state("live", "live"); };
    events.onerror = () => {
      // The stream alone may have ended, as a proxy ends it: an answer to another request decides.
      if (link.dataset.link === "live") state("static", "reconnecting");
      refresh();
      // A browser does not reconnect after some responses; the page does.
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
    };
    for (const name of ["connectivity", "path", "host", "request", "scene", "variant", "diagnosis"]) events.addEventListener(name, refresh);
  };

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!["/request", "/simulate", "/check"].includes(form.getAttribute("action"))) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, event.submitter));
    // A button named action hides the form's own property.
    try { await fetch(form.getAttribute("action"), { method: "POST", body, redirect: "manual" }); } catch { return; }
    refresh();
  });
  // An outage may be thinner than a finger: a thin span has a margin, and the worst of several is chosen.
  const point = (event) => {
    const drawing = event.target.closest?.(".timeline"), out = document.querySelector(".readout");
    if (!drawing || !out) return;
    let best = null, most = [0, 0];
    for (const e of drawing.querySelectorAll("[data-said]")) {
      const box = e.getBoundingClientRect(), reach = box.width < 8 ? 4 : 0;
      e.classList.remove("pointed");
      if (event.clientX < box.left - reach || event.clientX > box.right + reach) continue;
      const rank = [Number(e.getAttribute("height")), -box.width];
      if (best && (rank[0] < most[0] || (rank[0] === most[0] && rank[1] <= most[1]))) continue;
      [best, most] = [e, rank];
    }
    if (!best) return;
    best.classList.add("pointed");
    out.textContent = `${best.dataset.said}, ${local(best.dataset.from, "day")}, ${best.dataset.length}`;
  };
  document.addEventListener("pointermove", point);
  document.addEventListener("pointerdown", point);
  document.addEventListener("click", (event) => {
    const a = event.target.closest?.(".windows a");
    if (!a || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    history.replaceState(null, "", a.getAttribute("href"));
    refresh();
  });
  localize(document);
  age();
  due();
  setInterval(() => { if (link.dataset.link !== "lost") { age(); due(); } }, 1000);
  setInterval(() => { if (!document.hidden) refresh(); }, 30000);
  const cancel = document.querySelector("[data-cancel]");
  if (cancel) cancel.hidden = !document.querySelector("[data-request=checking], [data-request=waiting]");
  listen();
})();
