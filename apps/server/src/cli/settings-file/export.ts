import { formatUnits } from '@tizara/money'
import type { SettingsFile, CurrentPlatform } from './settings-file.ts'

/** Writes the platform's configuration as a file that can be imported here or elsewhere: without ids. */
export function platformText(platform: CurrentPlatform): string {
  const without = (one: { id: string }) => ({ ...one, id: undefined })
  const { popup, plans = [], nfts = [], ...rest } = platform
  const file = {
    $schema: './platform.schema.json',
    ...rest,
    ...(popup === null ? {} : { popup }),
    plans: plans.map(without),
    nfts: nfts.map(without),
  }
  const amounts = (_: string, value: unknown) => (typeof value === 'bigint' ? JSON.rawJSON(formatUnits(value)) : value)
  return `${JSON.stringify(file satisfies SettingsFile | object, amounts, 2)}\n`
}
