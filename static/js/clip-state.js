// Look how far a clip is, each second, and show the page anew once that is over. Without it the page refreshes.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const place = document.querySelector("[data-clip-state]");
  const bar = place.querySelector("progress");

  async function look() {
    const answer = await fetch(location.href, { headers: { Accept: "application/json" } });
    const now = answer.ok ? await answer.json() : { state: "unknown" };
    if (now.state === "waiting" || now.state === "running") {
      bar.value = now.percent;
      setTimeout(look, 1000);
    } else {
      location.reload();
    }
  }

  setTimeout(look, 1000);
});
