// SPDX-License-Identifier: Apache-2.0

// Keeps the page up to date. Without it, the page reloads at intervals. The server generates all text: the script only
// requests the parts again when an event reports a change.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const link = $("link"), announcer = $("announcer");
  const dated = { clock: { timeStyle: "medium" }, day: { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" },
    minute: { hour: "numeric", minute: "2-digit" }, date: { month: "short", day: "numeric" },
    second: { month: "short", day: "numeric", hour: "numeric", minute: "2-digit", second: "2-digit" } };
  let said = "", waiting = false, asking = null, later = 0, answered = Date.now(), events = null;

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
  // The server's times under the timeline are round in its own time zone: moves them to times that are round here.
  const axis = (drawing) => {
    const { from, to, step } = drawing.dataset, part = Math.min(step, 86400), box = drawing.getBoundingClientRect();
    const end = drawing.querySelector("g > text").getBoundingClientRect().left - 8;
    let reach = box.left;
    for (const e of drawing.querySelectorAll("[data-tick]")) {
      const time = new Date(Date.parse(e.dataset.tick) + part * 500);
      const seconds = time.getHours() * 3600 + time.getMinutes() * 60 + time.getSeconds();
      time.setHours(0, 0, seconds - seconds % part, 0);
      const place = (time / 1000 - from) / (to - from);
      e.setAttribute("x", `${place * 100}%`);
      e.toggleAttribute("hidden", place <= 0 || place >= 1);
      const text = e.querySelector("text");
      text.textContent = local(time, e.dataset.style);
      const { left, right } = text.getBoundingClientRect();
      if (left < reach || right > end) text.textContent = ""; else reach = right + 4;
    }
  };
  const localize = (root) => {
    for (const e of root.querySelectorAll("time[datetime], [data-time]")) {
      let { style, day, time } = e.dataset;
      // A list of outages has their date once, which here may be another one than on the server.
      if (day) style = local(day, "date") === local(e.dateTime, "date") ? "clock" : "second";
      e.textContent = local(e.dateTime || time, style);
    }
    for (const e of root.querySelectorAll(".timeline")) axis(e);
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
  const live = () => events.readyState === EventSource.OPEN ? state("live", "live") : state("static", "connecting");
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
    tell(view.sentence);
    clearTimeout(later);
    if (!view.isComplete) later = setTimeout(refresh, 1000);
    age();
    due();
  };
  // A browser cancels its requests when the network of its machine changes: after a failure, a request is made once more.
  const ask = async (path, init) => {
    const once = () => fetch(path, { ...init, headers: { Accept: "application/json" }, signal: AbortSignal.timeout(10000) });
    try { return await once(); } catch (failure) {
      if (failure.name === "TimeoutError") throw failure;
      await new Promise((done) => setTimeout(done, 500));
      return once();
    }
  };
  // One request at a time, for all events of a moment; a later change causes one more.
  const refresh = async () => {
    if (asking) { waiting = true; return asking; }
    asking = (async () => {
      await new Promise((done) => setTimeout(done, 50));
      waiting = false;
      try {
        const answer = await ask("/parts" + location.search);
        if (answer.status === 401) return location.reload();
        answered = Date.now();
        if (answer.ok) {
          const view = await answer.json();
          if (link.dataset.link === "lost") live();
          show(view);
        }
      } catch { lost(); }
    })();
    try { await asking; } finally { asking = null; }
    if (waiting) { waiting = false; return refresh(); }
  };

  const listen = () => {
    events = new EventSource("/events");
    events.onopen = async () => { await refresh(); if (link.dataset.link !== "lost") live(); };
    events.onerror = () => {
      // The stream alone may have ended, as a proxy ends it: an answer to another request decides.
      if (link.dataset.link === "live") state("static", "reconnecting");
      refresh();
      // A browser does not reconnect after some responses; the page does.
      if (events.readyState === EventSource.CLOSED) setTimeout(listen, 3000);
    };
    for (const name of ["connectivity", "host"]) events.addEventListener(name, refresh);
  };

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.getAttribute("action") !== "/check") return;
    event.preventDefault();
    try {
      const answer = await ask("/check", { method: "POST", redirect: "manual" });
      const reason = answer.type === "opaqueredirect" ? "" : (await answer.json()).error;
      form.querySelector(".field-error")?.remove();
      if (reason) {
        const p = document.createElement("p");
        [p.className, p.role, p.textContent] = ["field-error", "alert", reason];
        form.append(p);
      }
    } catch { lost(); }
    refresh();
  });
  // The part of the timeline under the pointer. An outage may be thinner than a finger: within 4 px, the worst is chosen.
  const span = (event) => {
    const data = event.target.closest?.(".drawing")?.querySelector(".timeline");
    if (!data) return null;
    const { from, to, spans } = data.dataset, box = data.getBoundingClientRect(), all = to - from;
    const at = (event.clientX - box.left) / box.width * all, reach = 4 / box.width * all;
    let best = null, start = 0;
    for (const text of spans.split(";")) {
      const [length, ...shares] = text.split(" ").map(Number), end = start + length;
      // The numbers of the words are sorted by severity.
      const rank = [shares[0], Math.max(start - at, at - end, 0)];
      if (end >= at - reach && start <= at + reach
        && (!best || rank[0] < best.rank[0] || (rank[0] === best.rank[0] && rank[1] < best.rank[1])))
        best = { data, rank, shares, start, length, all };
      start = end;
    }
    return best;
  };
  let shown = "", isNew = false;
  const point = (event) => {
    const best = span(event), out = document.querySelector(".readout");
    if (!best || !out) return;
    const { data, shares, start, length: whole, all } = best, words = JSON.parse(data.dataset.words);
    const lasting = (s) => s < 1 ? "under 1 s" : length(s);
    const texts = [`${words[shares[0]]}, ${local((+data.dataset.from + start) * 1000, "day")}, ${lasting(shares[1] ?? whole)}`];
    for (let i = 2; i < shares.length; i += 2) texts.push(`${words[shares[i]]}, ${lasting(shares[i + 1])}`);
    const mark = data.querySelector(".pointed");
    mark.setAttribute("x", `${start / all * 100}%`);
    mark.setAttribute("width", `${whole / all * 100}%`);
    out.textContent = texts.join("; ");
    // With a finger, the first tap shows a part, and the second one zooms in.
    if (event.type === "pointerdown") isNew = event.pointerType === "touch" && shown !== out.textContent;
    shown = out.textContent;
  };
  document.addEventListener("pointermove", point);
  document.addEventListener("pointerdown", point);
  document.addEventListener("click", (event) => {
    const a = event.target.closest?.(".windows a, .zoom a, .slices a, .days a, .day-table a");
    if (!a?.href || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    if (isNew && a.closest(".slices")) return;
    history.replaceState(null, "", a.getAttribute("href"));
    refresh();
  });
  localize(document);
  age();
  due();
  addEventListener("resize", () => localize(document));
  setInterval(() => { if (link.dataset.link !== "lost") { age(); due(); } }, 1000);
  setInterval(() => { if (!document.hidden) refresh(); }, 30000);
  listen();
})();
