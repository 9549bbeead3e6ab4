"use strict";
(() => {
  const root = document.documentElement;
  const say = (text) => { document.getElementById("status").textContent = text; };
  const stored = (() => { try { return localStorage.getItem("twinrun-theme"); } catch { return null; } })();
  const dark = stored ? stored === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const setTheme = (name) => {
    root.dataset.theme = name;
    document.getElementById("theme").textContent = name === "dark" ? "Light" : "Dark";
  };
  setTheme(dark ? "dark" : "light");
  document.getElementById("theme").addEventListener("click", () => {
    const name = root.dataset.theme === "dark" ? "light" : "dark";
    setTheme(name);
    try { localStorage.setItem("twinrun-theme", name); } catch { /* a file without storage */ }
  });

  const search = document.getElementById("search");
  const parts = [...document.querySelectorAll("main > article, main > section[data-searched]")];
  const links = [...document.querySelectorAll("nav a")];
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const part of parts) {
      const text = part.textContent.toLowerCase();
      const keep = words.every((word) => text.includes(word));
      part.classList.toggle("hidden", !keep);
      for (const link of links) if (link.hash === "#" + part.id) link.classList.toggle("hidden", !keep);
      if (keep) shown += 1;
    }
    say(words.length ? shown + " of " + parts.length + " shown" : "");
  };
  search.addEventListener("input", filter);

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-copy]");
    if (!button) return;
    const text = document.getElementById(button.dataset.copy).textContent;
    const done = () => { button.textContent = "Copied"; setTimeout(() => { button.textContent = "Copy"; }, 1200); };
    if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => {});
  });

  // A click on the head of a column sorts by it, a second one the other way round. Cells may say what they sort by.
  for (const table of document.querySelectorAll("table[data-sortable]")) {
    const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
    const key = (row, column) => { const cell = row.cells[column]; return cell.dataset.sort ?? cell.textContent; };
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const order = new Intl.Collator("en", { numeric: true }).compare;
        const rows = [...body.rows].sort((a, b) => (down ? -1 : 1) * order(key(a, column), key(b, column)));
        body.append(...rows);
      });
    });
  }

  // j and k: the next and the previous part; / searches; t switches the theme.
  let at = -1;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target === search) {
      if (event.key === "Escape") { search.value = ""; filter(); search.blur(); }
      return;
    }
    const visible = parts.filter((part) => !part.classList.contains("hidden"));
    const go = (step) => {
      if (!visible.length) return;
      at = Math.min(Math.max(at + step, 0), visible.length - 1);
      visible[at].scrollIntoView();
      visible[at].focus({ preventScroll: true });
    };
    if (event.key === "j") go(1);
    else if (event.key === "k") go(-1);
    else if (event.key === "t") document.getElementById("theme").click();
    else if (event.key === "/") { event.preventDefault(); search.focus(); }
  });
  // Two traces side by side. Only the rows in view are drawn, so that a hundred thousand cost no more than forty.
  const HEIGHT = 24, AROUND = 2, SHORTEST = 6;
  for (const box of document.querySelectorAll("[data-trace]")) {
    const rows = box.querySelector(".rows"), fold = box.querySelector("[data-fold]");
    const sheet = document.createElement("div");
    sheet.className = "sheet";
    rows.append(sheet);
    let data = null, view = [], opened = new Set();
    // A view entry is a row number, or [from, to] for a folded stretch.
    const build = () => {
      const { rows: all } = data, count = all.length / 2, folding = fold.getAttribute("aria-pressed") === "true";
      view = [];
      for (let row = 0; row < count;) {
        let end = row;
        while (end < count && all[2 * end] === all[2 * end + 1]) end += 1;
        if (end > row) {
          const from = row === 0 ? row : row + AROUND, to = end === count ? end : end - AROUND;
          if (folding && to - from >= SHORTEST && !opened.has(row)) {
            for (let at = row; at < from; at += 1) view.push(at);
            view.push([from, to, row]);
            for (let at = to; at < end; at += 1) view.push(at);
          } else for (let at = row; at < end; at += 1) view.push(at);
          row = end;
        } else { view.push(row); row += 1; }
      }
      sheet.style.height = view.length * HEIGHT + "px";
      rows.style.height = Math.min(view.length * HEIGHT + 2, 480) + "px";
      draw();
    };
    const cell = (step) => {
      const part = document.createElement("span");
      if (step < 0) { part.className = "none"; return part; }
      const [place, what, outcome] = data.steps[step];
      for (const [name, content] of [["at", place], ["what", what], ["out", outcome]]) {
        const piece = document.createElement("span");
        piece.className = name;
        piece.textContent = content;
        part.append(piece);
      }
      part.title = place + "  " + what + "  " + outcome;
      return part;
    };
    const draw = () => {
      const first = Math.max(0, Math.floor(rows.scrollTop / HEIGHT) - 10);
      const last = Math.min(view.length, first + Math.ceil(rows.clientHeight / HEIGHT) + 20);
      const drawn = document.createDocumentFragment();
      for (let index = first; index < last; index += 1) {
        const entry = view[index], line = document.createElement("div");
        line.style.top = index * HEIGHT + "px";
        if (Array.isArray(entry)) {
          line.className = "folded";
          const button = document.createElement("button");
          button.type = "button";
          button.textContent = "⋯ " + (entry[1] - entry[0]).toLocaleString("en") + " equal rows";
          button.addEventListener("click", () => { opened.add(entry[2]); build(); rows.focus({ preventScroll: true }); });
          line.append(button);
        } else {
          const left = data.rows[2 * entry], right = data.rows[2 * entry + 1];
          line.className = left === right ? "row" : "row differs";
          line.append(cell(left), cell(right));
        }
        drawn.append(line);
      }
      sheet.replaceChildren(drawn);
    };
    const jump = (step) => {
      const differs = (entry) => !Array.isArray(entry) && data.rows[2 * entry] !== data.rows[2 * entry + 1];
      const here = Math.round(rows.scrollTop / HEIGHT) + 3;
      for (let index = here + step; index >= 0 && index < view.length; index += step) {
        if (differs(view[index]) && !(differs(view[index - step]) && index !== here + step)) {
          rows.scrollTop = Math.max(0, (index - 3) * HEIGHT);
          return;
        }
      }
    };
    const start = () => {
      if (data) return;
      data = JSON.parse(document.getElementById(box.dataset.trace).textContent);
      build();
    };
    fold.addEventListener("click", () => {
      fold.setAttribute("aria-pressed", fold.getAttribute("aria-pressed") === "true" ? "false" : "true");
      opened = new Set();
      build();
    });
    for (const button of box.querySelectorAll("[data-step]")) button.addEventListener("click", () => jump(Number(button.dataset.step)));
    rows.addEventListener("scroll", () => requestAnimationFrame(draw));
    rows.addEventListener("keydown", (event) => {
      if (event.key === "n") jump(1);
      else if (event.key === "p") jump(-1);
      else return;
      event.stopPropagation();
    });
    // Data of long traces that nobody looks at is not read.
    if ("IntersectionObserver" in window && document.getElementById(box.dataset.trace).firstChild.length > 20_000) {
      new IntersectionObserver((seen, observer) => {
        if (seen.some((entry) => entry.isIntersecting)) { observer.disconnect(); start(); }
      }, { rootMargin: "400px" }).observe(box);
    } else start();
    addEventListener("beforeprint", start);
  }

  // Served by `twinrun serve`: load the page again when there is something new.
  const version = document.querySelector('meta[name="twinrun-version"]');
  if (version && location.protocol.startsWith("http")) {
    const kept = sessionStorage.getItem("twinrun-scroll");
    if (kept !== null) { sessionStorage.removeItem("twinrun-scroll"); scrollTo(0, Number(kept)); }
    const ask = async () => {
      try {
        const answer = await fetch("/version", { cache: "no-store" });
        const now = (await answer.text()).trim();
        if (now !== version.content && document.activeElement !== search) {
          sessionStorage.setItem("twinrun-scroll", String(scrollY));
          location.reload();
          return;
        }
        if (!search.value) say("live");
      } catch { say("the server has ended"); }
      setTimeout(ask, 2000);
    };
    setTimeout(ask, 2000);
  }
  for (const box of document.querySelectorAll(".source")) {
    const marked = box.querySelector("tr.marked");
    if (marked) box.scrollTop = Math.max(0, marked.offsetTop - box.clientHeight / 3);
  }
})();
