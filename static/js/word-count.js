// The number of words under each writing area.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  for (const area of document.querySelectorAll("[data-words] textarea.prose")) {
    const count = document.createElement("p");
    count.className = "word-count";
    const tell = () => {
      const words = area.value.trim() ? area.value.trim().split(/\s+/).length : 0;
      count.textContent = area.form.dataset.words.replace("%s", words);
    };
    area.after(count);
    area.addEventListener("input", tell);
    tell();
  }
});
