import { describe, expect, it } from 'vitest'
import { dice } from '../../../test/dice.ts'
import { CompactMap } from './compact-map.ts'

describe('a compact map', () => {
  it('returns what a Map returns when random keys are added and looked up', () => {
    const roll = dice(7)
    const [compact, model] = [new CompactMap(), new Map<string, number>()]
    let wrong = 0
    for (let step = 0; step < 40_000; step += 1) {
      const key = ['', 'é', 'm', '\u{1F600}'][roll(4)] + String(roll(30_000))
      const known = model.get(key)
      if (known === undefined) model.set(key, step)
      if (compact.get(key) !== known || compact.add(key, step) !== known) wrong += 1
    }
    for (const [key, value] of model) if (compact.get(key) !== value) wrong += 1
    expect(wrong).toBe(0)
    expect(model.size).toBeGreaterThan(20_000)
  })

  it('tells keys apart when one is a part or a continuation of another', () => {
    const map = new CompactMap()
    const keys = ['', 'a', 'ab', 'b', 'aab', 'x'.repeat(1_024), 'x'.repeat(1_023)]
    expect(keys.map((key, index) => map.add(key, index))).toEqual(keys.map(() => undefined))
    expect(keys.map((key) => map.get(key))).toEqual(keys.map((_, index) => index))
  })

  it('rejects a key when it is longer than 1,024 bytes', () => {
    expect(() => new CompactMap().add('é'.repeat(513), 0)).toThrow('1026 bytes')
  })
})
