// Links in the preview open in a tab of their own: what they lead to refuses to stand in a frame.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const frame = document.querySelector("[data-preview-frame]");
  frame?.addEventListener("load", () => {
    for (const link of frame.contentDocument?.links ?? []) {
      if (!link.getAttribute("href").startsWith("#")) link.target = "_blank";
    }
  });
});
