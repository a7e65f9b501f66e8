import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createGroupCommit } from './group-commit.ts'

/** A runner whose calls end on the test's command. */
function controlled(maxBatch: number, maxInFlight: number) {
  const calls: { items: number[]; end: (results: (number | Error)[]) => void; fail: (error: Error) => void }[] = []
  const group = createGroupCommit<number, number>({
    maxBatch,
    maxInFlight,
    run: (items) => new Promise((end, fail) => calls.push({ items, end, fail })),
  })
  return { calls, group }
}
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

describe('group commit', () => {
  it('runs concurrent items in one call, and answers each', async () => {
    const { calls, group } = controlled(10, 1)
    const answers = [1, 2, 3].map((item) => group.submit(item))
    await turn()
    expect(calls.map((call) => call.items)).toEqual([[1, 2, 3]])
    expect(group.size()).toBe(3)
    calls[0]?.end([10, new Error('refused'), 30])
    const settled = await Promise.allSettled(answers)
    expect(settled.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message))).toEqual([10, 'refused', 30])
    expect(group.size()).toBe(0)
  })

  it('answers an item as soon as the call has its final result, and keeps that answer', async () => {
    const ended = Promise.withResolvers<number[]>()
    const group = createGroupCommit<number, number>({
      maxBatch: 10,
      maxInFlight: 1,
      run: (_, answerNow) => {
        answerNow(1, 20)
        answerNow(2, new Error('refused'))
        return ended.promise
      },
    })
    const answers = [1, 2, 3].map((item) => group.submit(item))
    expect(await answers[1]).toBe(20)
    await expect(answers[2]).rejects.toThrow('refused')
    expect(group.size()).toBe(3)
    ended.resolve([10, 21, 31])
    expect([await answers[0], await answers[1]]).toEqual([10, 20])
  })

  it('respects the size limit, and batches waiting items', async () => {
    const { calls, group } = controlled(2, 1)
    const answers = Promise.all([1, 2, 3, 4, 5].map((item) => group.submit(item)))
    for (const expected of [[1, 2], [3, 4], [5]]) {
      await turn()
      expect(calls.at(-1)?.items).toEqual(expected)
      calls.at(-1)?.end(expected)
    }
    expect(await answers).toEqual([1, 2, 3, 4, 5])
    expect(calls).toHaveLength(3)
  })

  it('runs as many calls in parallel as allowed', async () => {
    const { calls, group } = controlled(1, 2)
    const answers = Promise.all([1, 2, 3].map((item) => group.submit(item)))
    await turn()
    expect(calls).toHaveLength(2)
    calls[1]?.end([2])
    await turn()
    expect(calls).toHaveLength(3)
    calls[0]?.end([1])
    calls[2]?.end([3])
    expect(await answers).toEqual([1, 2, 3])
  })

  it('opens no second batch for fewer items than the running one, except after a delay', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { calls, group } = controlled(4, 2)
    const answers = Promise.all([1, 2, 3].map((item) => group.submit(item)))
    await turn()
    const later = [4, 5].map((item) => group.submit(item))
    await turn()
    expect(calls.map((call) => call.items)).toEqual([[1, 2, 3]])
    later.push(group.submit(6))
    await turn()
    expect(calls.at(1)?.items).toEqual([4, 5, 6])
    calls[1]?.end([4, 5, 6])
    await Promise.all(later)

    const late = group.submit(7)
    await turn()
    expect(calls).toHaveLength(2)
    vi.advanceTimersByTime(10)
    expect(calls.at(2)?.items).toEqual([7])
    const last = group.submit(8)
    await turn()
    expect(calls).toHaveLength(3)
    calls[2]?.end([7])
    await late
    calls[0]?.end([1, 2, 3])
    await answers
    await turn()
    calls[3]?.end([8])
    expect(await last).toBe(8)
  })

  it('fails a whole batch that failed, and continues with the next', async () => {
    const { calls, group } = controlled(2, 1)
    const first = Promise.allSettled([group.submit(1), group.submit(2)])
    const next = group.submit(3)
    await turn()
    calls[0]?.fail(new Error('the connection broke'))
    expect((await first).map((result) => result.status)).toEqual(['rejected', 'rejected'])
    await turn()
    calls[1]?.end([30])
    expect(await next).toBe(30)
  })

  it('fails a batch with too few results instead of mixing them up', async () => {
    const { calls, group } = controlled(2, 1)
    const both = Promise.allSettled([group.submit(1), group.submit(2)])
    await turn()
    calls[0]?.end([10])
    expect((await both).map((result) => result.status)).toEqual(['rejected', 'rejected'])
  })
})
