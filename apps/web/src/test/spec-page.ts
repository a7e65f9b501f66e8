import { expect, vi } from 'vitest'
import { SpecServer } from './spec-server.ts'

/** Visible signs that a value is missing or misread. */
const BROKEN =
  /\bNaN\b|\bundefined\b|\bnull\b|Invalid Date|\[object |Infinity|Something went wrong|could not be (?:shown|loaded)|try again/i

/** Opens a page against another vendor's server and records console errors. */
export function specPage() {
  const complaints: unknown[][] = []
  vi.spyOn(console, 'error').mockImplementation((...words) => complaints.push(words))
  vi.spyOn(console, 'warn').mockImplementation((...words) => complaints.push(words))
  return {
    server: new SpecServer(),
    /**
     * Waits until loading ends, then expects no broken value and no console error.
     * @param logged allowed console output
     */
    expectSound: async (logged?: RegExp): Promise<void> => {
      await expect.poll(() => document.querySelectorAll('[aria-busy=true]').length).toBe(0)
      // A failed list has the button `Try again`, which is no error text.
      const { innerText } = document.body
      const text = logged === undefined ? innerText : innerText.replaceAll(/^Try again$/gm, '')
      expect(BROKEN.exec(text)?.[0]).toBeUndefined()
      expect(complaints.filter(([message]) => logged?.test(String(message)) !== true)).toEqual([])
    },
  }
}
