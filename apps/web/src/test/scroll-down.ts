import { expect } from 'vitest'

/** Scrolls down until a text appears, because content below the fold renders only near the window. */
export async function scrollDownTo(text: string): Promise<void> {
  await expect
    .poll(() => {
      scrollTo(0, document.documentElement.scrollHeight)
      return document.body.textContent
    })
    .toContain(text)
}
