import { useEffect, useState } from 'preact/hooks'

/** A page: the parts of its path, and its settings. */
export interface Route {
  readonly parts: readonly string[]
  readonly query: URLSearchParams
}

/** Reads `#/block/12?page=2`. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  return { parts: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The page that the address bar names. */
export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const change = () => setHash(location.hash)
    addEventListener('hashchange', change)
    return () => removeEventListener('hashchange', change)
  }, [])
  return parseRoute(hash)
}

/** Goes to a page. */
export function goTo(route: string): void {
  location.hash = route
}
