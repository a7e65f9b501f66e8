import { expect, it } from 'vitest'
import { staffInstance } from '../../../../test/staff-instance.ts'
import { AppError } from '../../../platform/runtime/app-error.ts'
import { startRewardRun } from './start-reward-run.ts'

const instance = await staffInstance()

const start = (pay: () => Promise<number>) =>
  startRewardRun(instance.at.db, instance.at.deps, { memberId: instance.maker.id, role: 'ADMIN' }, { pay, patienceMs: 20 })
const outcomes = async () => (await instance.audits('due')).map(({ outcome }) => outcome)

it('answers at once for a run in progress, and with the result of a short one', async () => {
  const run = Promise.withResolvers<number>()
  expect(await start(() => run.promise)).toBe('started')
  run.resolve(7)
  expect(await start(() => Promise.resolve(0))).toBe('paid')
  expect((await instance.post('/staff/reward-runs', instance.maker)).body.message).toBe('All due rewards are paid')
  expect(await outcomes()).toEqual(['ok', 'ok', 'ok'])
})

it('returns the reason when it does not start; a later failure has no effect on the answer', async () => {
  const before = (await outcomes()).length
  await expect(start(() => Promise.reject(new AppError('RUN_IN_PROGRESS')))).rejects.toMatchObject({ code: 'RUN_IN_PROGRESS' })
  const late = Promise.withResolvers<number>()
  expect(await start(() => late.promise)).toBe('started')
  late.reject(new Error('cut off'))
  expect((await outcomes()).slice(before).toSorted()).toEqual(['RUN_IN_PROGRESS', 'ok'])
})
