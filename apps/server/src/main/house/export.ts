import { writeJson } from '../../http/json.ts'
import type { HouseFile, StandingHouse } from './house-file.ts'

/** The house as the text of a file that can be read in again, here or elsewhere: without ids. */
export function houseText(house: StandingHouse): string {
  const without = (one: { id: string }) => ({ ...one, id: undefined })
  const { popup, plans = [], nfts = [], ...rest } = house
  const file = {
    $schema: './house.schema.json',
    ...rest,
    ...(popup === null ? {} : { popup }),
    plans: plans.map(without),
    nfts: nfts.map(without),
  }
  return `${JSON.stringify(JSON.parse(writeJson(file satisfies HouseFile | object)), null, 2)}\n`
}
