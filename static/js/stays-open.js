// What an editor opened stays open, on every page that has it, until they close it: <details data-stays-open="name">.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  for (const panel of document.querySelectorAll("details[data-stays-open]")) {
    const key = `stays-open-${panel.dataset.staysOpen}`;
    try {
      if (localStorage.getItem(key)) panel.open = true;
      panel.addEventListener("toggle", () => {
        if (panel.open) localStorage.setItem(key, "yes"); else localStorage.removeItem(key);
      });
    } catch { /* a browser that stores nothing: the panel opens and closes all the same */ }
  }
});
