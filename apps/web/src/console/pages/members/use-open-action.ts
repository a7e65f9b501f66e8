import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

/** Keeps the open action dialog in the address (`?act=block`), so search and other pages can link to it. */
export function useOpenAction() {
  const search = new URLSearchParams(useSearch())
  return {
    name: search.get('act') ?? undefined,
    ask: (name: string | undefined) => {
      if (name === undefined) search.delete('act')
      else search.set('act', name)
      navigate(`${location.pathname}${search.size === 0 ? '' : `?${search.toString()}`}`, { replace: true })
    },
  }
}
