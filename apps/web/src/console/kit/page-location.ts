import { useLocation, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

/**
 * Reads and writes the location of a view: open item and filters, both in the address so every state can be linked.
 * @param path path of the view: `/staff/tickets`
 */
export function usePageLocation(path: string) {
  const [pathname] = useLocation()
  const search = new URLSearchParams(useSearch())
  const [id, ...rest] = pathname
    .slice(path.length + 1)
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent)
  const address = (parts: readonly string[], query: URLSearchParams) =>
    [path, ...parts.map(encodeURIComponent)].join('/') + (query.size === 0 ? '' : `?${query.toString()}`)
  /** Returns this view's address with filters set, or removed by `undefined`. It drops the open item. */
  const filtered = (changes: Readonly<Record<string, string | undefined>>): string => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined) next.delete(name)
      else next.set(name, value)
    }
    return address([], next)
  }
  return {
    id,
    /** Path after the item: a tab, a transfer. */
    rest,
    search,
    filtered,
    filter: (changes: Readonly<Record<string, string | undefined>>) => navigate(filtered(changes)),
    /** Opens an item and its sub-path; no argument closes it. Moving from item to item adds no history entry. */
    open: (...parts: readonly (string | undefined)[]) =>
      navigate(
        address(
          parts.filter((part) => part !== undefined),
          search,
        ),
        { replace: id !== undefined && parts[0] !== undefined },
      ),
  }
}
