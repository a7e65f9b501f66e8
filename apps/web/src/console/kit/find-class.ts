/** Classes of a search field or button: icon, text, key. */
export const findClass = (size = 'h-8 w-full'): string =>
  `flex items-center gap-2 rounded-md border bg-surface px-2 text-faint cursor-pointer [&>svg]:size-4 ${size}`
