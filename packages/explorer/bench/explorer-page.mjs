/** The measurements of the explorer's benchmark in the page. */

/** Waits until all of the view is drawn, whatever goes on behind it. */
export async function shown(page) {
  await page.waitForFunction(
    () =>
      document.querySelector("#view table") !== null &&
      document.querySelector("#view [aria-busy=true]") === null,
  );
}

/** Milliseconds until the rows in the middle are drawn, from the moment in which the grid is scrolled there. */
export function jump(page) {
  return page.$eval(".grid-scroll", async (scroller) => {
    const nextFrame = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
    const firstRow = () => document.querySelector(".grid tbody tr[aria-rowindex]:not([aria-busy])");
    const before = firstRow()?.getAttribute("aria-rowindex");
    const start = performance.now();
    scroller.scrollTop = scroller.scrollHeight / 2;
    do await nextFrame();
    while (firstRow() === null || firstRow().getAttribute("aria-rowindex") === before);
    return performance.now() - start;
  });
}

/** The frames that are drawn while a list is scrolled by half of its height in each. */
export function scroll(page, selector, milliseconds) {
  return page.$eval(
    selector,
    async (scroller, duration) => {
      const nextFrame = () => new Promise((drawn) => requestAnimationFrame(drawn));
      const frames = { count: 0, over: 0, longest: 0 };
      let last = await nextFrame();
      for (const end = last + duration; last < end; frames.count++) {
        scroller.scrollTop += scroller.clientHeight / 2;
        const now = await nextFrame();
        frames.longest = Math.max(frames.longest, now - last);
        if (now - last > 50) frames.over++;
        last = now;
      }
      return frames;
    },
    milliseconds,
  );
}
