import { expect, vi } from 'vitest'
import { SpecServer } from './spec-server.ts'

/** What a person would notice of a value that is missing or was read wrongly. */
const BROKEN =
  /\bNaN\b|\bundefined\b|\bnull\b|Invalid Date|\[object |Infinity|Something went wrong|could not be (?:shown|loaded)|try again/i

/** A page in front of another maker's server; what the console complains about is kept. */
export function specPage() {
  const complaints: unknown[][] = []
  vi.spyOn(console, 'error').mockImplementation((...words) => complaints.push(words))
  vi.spyOn(console, 'warn').mockImplementation((...words) => complaints.push(words))
  return {
    server: new SpecServer(),
    /**
     * Waits until nothing loads any more; then nothing on the page may be broken, and nobody may have complained.
     * @param logged what may stand in the console
     */
    expectSound: async (logged?: RegExp): Promise<void> => {
      await expect.poll(() => document.querySelectorAll('[aria-busy=true]').length, { timeout: 15_000 }).toBe(0)
      expect(BROKEN.exec(document.body.innerText)?.[0]).toBeUndefined()
      expect(complaints.filter(([said]) => logged?.test(String(said)) !== true)).toEqual([])
    },
  }
}
