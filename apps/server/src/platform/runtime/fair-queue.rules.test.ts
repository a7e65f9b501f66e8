import { describe, expect, it } from 'vitest'
import { AppError } from './app-error.ts'
import { createFairQueue } from './fair-queue.ts'

/** A queue whose work ends on request, with the order of the starts. */
function world(maxRunning: number, maxWaiting: number) {
  const queue = createFairQueue({ maxRunning, maxWaiting })
  const started: string[] = []
  const ends: (() => void)[] = []
  const refused: string[] = []
  const call = (name: string, caller: string) =>
    queue
      .run(caller, () => {
        started.push(name)
        return new Promise<void>((resolve) => ends.push(resolve))
      })
      .catch((error: unknown) => {
        if (!(error instanceof AppError) || error.code !== 'BUSY') throw error
        refused.push(name)
      })
  /** Ends the oldest running call and waits until the next one has started. */
  const endOne = async () => {
    ends.shift()?.()
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  return { queue, started, refused, call, endOne }
}

describe('a fair queue', () => {
  it('runs the calls of one caller in order, and at most as many at a time as it may', async () => {
    const { started, call, endOne } = world(2, 10)
    for (const name of ['a', 'b', 'c', 'd']) void call(name, 'one')
    expect(started).toEqual(['a', 'b'])
    await endOne()
    expect(started).toEqual(['a', 'b', 'c'])
    await endOne()
    await endOne()
    expect(started).toEqual(['a', 'b', 'c', 'd'])
  })

  it('lets callers take turns when one of them has many calls', async () => {
    const { started, call, endOne } = world(1, 10)
    for (const name of ['a1', 'a2', 'a3', 'a4']) void call(name, 'a')
    void call('b1', 'b')
    void call('c1', 'c')
    void call('b2', 'b')
    for (let ended = 0; ended < 6; ended += 1) await endOne()
    expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('refuses the newest call of the longest line when the queue is full and another caller comes', async () => {
    const { started, refused, call, endOne } = world(1, 4)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) void call(name, 'a')
    void call('b1', 'b')
    await endOne()
    expect(refused).toEqual(['a5'])
    await endOne()
    expect(started).toEqual(['a1', 'a2', 'b1'])
  })

  it('refuses a call whose own line is as long as the others when the queue is full', async () => {
    const { refused, call, endOne } = world(1, 4)
    void call('first', 'a')
    for (const caller of ['a', 'b', 'c', 'd']) void call(`${caller}1`, caller)
    void call('e1', 'e')
    void call('a2', 'a')
    await endOne()
    expect(refused).toEqual(['e1', 'a2'])
  })

  it('has room again after failed and refused calls', async () => {
    const { queue, started, refused, call, endOne } = world(1, 1)
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    for (const name of ['a1', 'a2', 'a3']) void call(name, 'a')
    await endOne()
    await endOne()
    void call('b1', 'b')
    expect(started).toEqual(['a1', 'a2', 'b1'])
    expect(refused).toEqual(['a3'])
  })
})
