import { useLocation, useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

/**
 * Where a view is: which item of it is open, and its filters, both in the address, so that everything can be linked.
 * @param path of the view: `/staff/tickets`
 */
export function usePlace(path: string) {
  const [pathname] = useLocation()
  const search = new URLSearchParams(useSearch())
  const [id, ...rest] = pathname
    .slice(path.length + 1)
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent)
  const address = (parts: readonly string[], query: URLSearchParams) =>
    [path, ...parts.map(encodeURIComponent)].join('/') + (query.size === 0 ? '' : `?${query.toString()}`)
  /** The address of this view with a filter that is set, or taken off by `undefined`; the open item is left. */
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
    /** What stands behind the item: a tab, a transfer. */
    rest,
    search,
    filtered,
    filter: (changes: Readonly<Record<string, string | undefined>>) => navigate(filtered(changes)),
    /** Opens an item, and what stands behind it; nothing closes the item. From one item to the next makes no step of the history. */
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
