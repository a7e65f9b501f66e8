/** Returns the first letters of the first and the last name, such as `L. H.` */
export function initialsOf(name: string): string {
  const nameParts = name.trim().split(/\s+/)
  const ends = nameParts.length > 1 ? [nameParts[0], nameParts.at(-1)] : nameParts
  return ends
    .flatMap((word) => [...(word ?? '')].slice(0, 1))
    .map((letter) => `${letter.toUpperCase()}.`)
    .join(' ')
}
