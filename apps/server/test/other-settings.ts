import { ONE } from '@tizara/money'
import { applySettings, currentSettings, type Settings } from '../src/modules/settings/index.ts'
import { type Db, inTransaction } from '../src/platform/db/database.ts'
import type { Deps } from '../src/platform/runtime/deps.ts'

type Figures = Omit<Settings, 'version' | 'startsAt'>

/** Returns another value that the settings' rules allow together with the other changes. */
function otherThan(name: string, value: Figures[keyof Figures]): unknown {
  // At most 100 percent.
  if (name === 'exchangeLimit') return 37n * ONE + 37n
  if (typeof value === 'bigint') return value + value / 3n + 37n
  // Its default is the maximum.
  if (name === 'provenDelayHours') return 719
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return value === 'nativeWallet' ? 'icoWallet' : 'nativeWallet'
  return value === null ? ['example.org'] : null
}

/**
 * For tests: changes every setting, to detect an operation that reads current settings instead of its original version.
 * @returns a function that restores the settings
 */
export async function changeEverySetting(db: Db, deps: Deps): Promise<() => Promise<void>> {
  const { version: _, startsAt: __, ...before } = await currentSettings(db, deps.clock.now())
  const apply = async (changes: Figures) =>
    void (await inTransaction(db, (tx) => applySettings(tx, deps, { changes, actorId: null, reason: 'test' })))
  await apply(Object.fromEntries(Object.entries(before).map(([name, value]) => [name, otherThan(name, value)])) as Figures)
  return () => apply(before)
}
