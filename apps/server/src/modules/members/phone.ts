/** A phone number of which one sees that it is there and whether it could be the one: `+234 803 ••• ••18`. */
export function maskedPhone(phone: string): string {
  const figures = phone.replace(/\D/g, '').length
  const shown = figures >= 11 ? 6 : figures >= 8 ? 3 : 0
  let place = 0
  return phone.replace(/\d/g, (figure) => {
    place += 1
    return place <= shown || place > figures - 2 ? figure : '•'
  })
}
