import { limitsValue, settingsValue } from '@tizara/contract/staff-values'
import type { Db, Tx } from '../../../../platform/db/database.ts'
import type { Deps } from '../../../../platform/runtime/deps.ts'
import { applySettings, currentSettings, scheduleSettings } from '../../../settings/index.ts'
import { omitUndefined } from '../../access/omit-undefined.ts'
import type { ApplyResult, Approval, ScheduledChange } from './proposal-kind.ts'
import { asJson } from './as-json.ts'

const SETTINGS = Object.keys(settingsValue.entries) as (keyof typeof settingsValue.entries)[]
const LIMITS = Object.keys(limitsValue.entries) as (keyof typeof limitsValue.entries)[]

const pick = <T extends object, Key extends keyof T>(from: T, keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, Key>

/** Reads the operator's settings at a moment, grouped as in the catalogue. */
export async function operatorSettings(db: Db, deps: Pick<Deps, 'config'>, at: Date) {
  const current = await currentSettings(db, at)
  const { version, coinPrice, allowedEmailDomains } = current
  return {
    version,
    coinPrice,
    settings: { ...pick(current, SETTINGS), allowedEmailDomains: allowedEmailDomains ?? deps.config.allowedEmailDomains },
    limits: pick(current, LIMITS),
  }
}

type Changes = Parameters<typeof applySettings>[2]['changes']

/** Common part of the kinds price, settings and limits, which share one table and one version. */
export const settingsVersion = {
  async current(db: Db, deps: Pick<Deps, 'config'>, _: object, at: Date): Promise<unknown> {
    const { coinPrice, settings, limits } = await operatorSettings(db, deps, at)
    return asJson({ coinPrice, ...settings, ...limits })
  },
  baseline: 'changed-fields',
  async apply(tx: Tx, deps: Deps, value: object, { proposer, approverId, reason }: Approval): Promise<ApplyResult> {
    await applySettings(tx, deps, { changes: changesOf(value), actorId: approverId ?? proposer.memberId, reason })
    return {}
  },
  scheduling: {
    topic: 'settings',
    schedule: (tx: Tx, deps: Deps, _: string, changes: readonly ScheduledChange<object>[]): Promise<void> =>
      scheduleSettings(
        tx,
        deps,
        changes.map(({ value, startsAt, decidedBy, reason }) => ({ changes: changesOf(value), startsAt, actorId: decidedBy, reason })),
      ),
  },
} as const

/** Returns the settings in a value. Each kind's schema contains only settings. */
const changesOf = (value: object) => omitUndefined(value) as Changes
