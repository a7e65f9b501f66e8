import { expect, it } from 'vitest'
import { freePort } from './postgres.ts'

it('reserves a separate port for each caller, below the range of outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort))
  expect(new Set(ports).size).toBe(ports.length)
  expect(Math.max(...ports)).toBeLessThan(32_768)
})
