/**
 * Replaces a text where it stands as a whole: not inside a longer word or mail address. So the erasure of `kim@example.com` does not change
 * `tokim@example.com`, which belongs to another person.
 */
export function replaceWhole(text: string, old: string, other: string): string {
  const escaped = old.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return text.replaceAll(new RegExp(String.raw`(?<![\p{L}\p{N}._%+-])${escaped}(?![\p{L}\p{N}_%+-]|\.[\p{L}\p{N}])`, 'giu'), () => other)
}
