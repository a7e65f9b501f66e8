import { sql } from 'kysely'

/** Figures that a covered number shows at its beginning; SQL below says the same. */
const shownOf = (figures: number): number => (figures >= 11 ? 6 : figures >= 8 ? 3 : 0)
const FIGURES = sql`regexp_replace(phone, '\\D', '', 'g')`

/**
 * SQL for members whose number begins with these figures, as far as one sees them, or is all of them: a search that went on
 * behind the cover would tell it figure by figure.
 * @param figures digits only
 */
export const phoneBegins = (figures: string) =>
  sql`(${FIGURES} like ${`${figures}%`} and (length(${FIGURES}) = ${figures.length}
    or ${figures.length} <= case when length(${FIGURES}) >= 11 then 6 when length(${FIGURES}) >= 8 then 3 else 0 end))`

/** A phone number of which one sees that it is there and whether it could be the one: `+234 803 ••• ••18`. */
export function maskedPhone(phone: string): string {
  const figures = phone.replace(/\D/g, '').length
  const shown = shownOf(figures)
  let place = 0
  return phone.replace(/\d/g, (figure) => {
    place += 1
    return place <= shown || place > figures - 2 ? figure : '•'
  })
}
