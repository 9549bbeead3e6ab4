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
  for (const box of document.querySelectorAll(".source")) {
    const marked = box.querySelector("tr.marked");
    if (marked) box.scrollTop = Math.max(0, marked.offsetTop - box.clientHeight / 3);
  }
})();
