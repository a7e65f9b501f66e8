import { expect, it } from 'vitest'
import { longSearch, searchFor, searchRuns, searchSample, searchSeed } from './search.ts'

it('runs each seed once, beginning with the first', async () => {
  const seeds: number[] = []
  const played = await searchFor('test', { short: 3, minutes: 0 }, (seed) => void seeds.push(seed))
  expect(seeds).toEqual(Array.from({ length: longSearch ? 1 : 3 }, (_, index) => searchSeed + index))
  expect(played).toBe(seeds.length)
})

it('names the seed whose sequence failed', async () => {
  const failing = searchFor('test', { short: 2, minutes: 0 }, () => Promise.reject(new Error('lost a unit')))
  await expect(failing).rejects.toThrow(`test: seed ${searchSeed} failed; play it again with SEARCH_SEED=${searchSeed}\nlost a unit`)
})

it('uses every item in at least one case', () => {
  const cases = [0, 1, 2].map((index) => searchSample(['a', 'b', 'c', 'd'], index, 3))
  expect(cases).toEqual(longSearch ? Array.from({ length: 3 }, () => ['a', 'b', 'c', 'd']) : [['a', 'd'], ['b'], ['c']])
})

it('takes the number of runs from the extent of the search', () => {
  expect(searchRuns({ short: 10, long: 1000 })).toBe(longSearch ? 1000 : 10)
})
