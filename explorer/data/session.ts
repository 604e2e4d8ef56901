import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { HeadStore } from './head.ts'
import { type Ask, authorized, LoginNeeded } from './rpc.ts'

/** A node that the page can ask: its name, and the folder of its calls. */
export interface NodeEntry {
  readonly name: string
  readonly path: string
}

/** What the server says about itself. */
export interface Session {
  readonly authentication: boolean
  readonly namespaces: readonly string[]
  /** Whether sources of contracts are kept. */
  readonly sources: boolean
}

/** The node that is shown, and those that could be. */
export interface Site {
  readonly nodes: readonly NodeEntry[]
  readonly node: NodeEntry
  readonly namespaces: ReadonlySet<string>
  /** Whether sources of contracts are kept. */
  readonly sources: boolean
  readonly ask: Ask
  readonly head: HeadStore
  chooseNode(node: NodeEntry): void
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(path, { headers: authorized() })
  if (response.status === 401) throw new LoginNeeded('Please log in.')
  if (!response.ok) throw new Error(`The server answers ${response.status} to ${path}.`)
  return (await response.json()) as T
}

/** Asks the server what it serves. */
export async function loadSite(): Promise<{ readonly session: Session; readonly nodes: readonly NodeEntry[] }> {
  const [session, nodes] = await Promise.all([get<Session>('session'), get<readonly NodeEntry[]>('nodes')])
  return { session, nodes }
}

export const SiteContext = createContext<Site | undefined>(undefined)

/** The node that is shown. */
export function useSite(): Site {
  const site = useContext(SiteContext)
  if (!site) throw new Error('used outside of a site')
  return site
}
