import { sql } from 'kysely'

/** Leading digits shown in a masked number; the SQL below must match. */
const shownOf = (figures: number): number => (figures >= 11 ? 6 : figures >= 8 ? 3 : 0)
const FIGURES = sql`regexp_replace(phone, '\\D', '', 'g')`

/**
 * SQL condition: the visible leading digits or the whole number are equal. A search in the masked digits would reveal the number digit by
 * digit.
 * @param figures digits only
 */
export const phoneBegins = (figures: string) =>
  sql`(${FIGURES} like ${`${figures}%`} and (length(${FIGURES}) = ${figures.length}
    or ${figures.length} <= case when length(${FIGURES}) >= 11 then 6 when length(${FIGURES}) >= 8 then 3 else 0 end))`

/** Masks a phone number, so that it can be recognized but not read: `+234 803 ••• ••18`. */
export function maskedPhone(phone: string): string {
  const figures = phone.replace(/\D/g, '').length
  const shown = shownOf(figures)
  let index = 0
  return phone.replace(/\d/g, (figure) => {
    index += 1
    return index <= shown || index > figures - 2 ? figure : '•'
  })
}
