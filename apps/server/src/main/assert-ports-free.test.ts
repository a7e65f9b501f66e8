import { createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../../../test/postgres.ts'
import { assertPortsFree } from './assert-ports-free.ts'

const other = createServer()
let taken: number
beforeAll(async () => {
  taken = await freePort()
  await new Promise<void>((resolve) => other.listen(taken, '127.0.0.1', resolve))
})
afterAll(() => void other.close())

it('says which port is in use and what changes it', async () => {
  await expect(assertPortsFree('127.0.0.1', { PORT: await freePort(), SANDBOX_PORT: taken })).rejects.toThrow(
    `Port ${taken} is in use. Stop what listens there, or choose another with SANDBOX_PORT=`,
  )
})

it('leaves free ports free', async () => {
  const port = await freePort()
  await assertPortsFree('127.0.0.1', { PORT: port })
  await assertPortsFree('127.0.0.1', { PORT: port })
})
