import { expect } from 'vitest'

/** Goes down a page until it shows something, as what stands far below is only drawn when it comes near. */
export async function lookDown(text: string): Promise<void> {
  await expect
    .poll(() => {
      scrollTo(0, document.documentElement.scrollHeight)
      return document.body.textContent
    })
    .toContain(text)
}
