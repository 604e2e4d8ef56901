import { useEffect, useMemo, useState } from 'preact/hooks'
import { showContractsOf } from './data/contracts.ts'
import { createHead } from './data/head.ts'
import { keep, readKept } from './data/kept.ts'
import { createAsk, LoginNeeded } from './data/rpc.ts'
import { loadSite, type NodeEntry, type Session, SiteContext } from './data/session.ts'
import { useLoad } from './data/useLoad.ts'
import { Page } from './Page.tsx'
import { PageHeader } from './PageHeader.tsx'
import { LoginPage } from './pages/LoginPage.tsx'
import { NetworkBanner } from './parts/NetworkBanner.tsx'
import { Failed } from './parts/Notes.tsx'

const nothing = { session: { authentication: false, namespaces: [], sources: false }, nodes: [] }

/** The explorer: asks what is served, then shows pages of one node. */
export function App() {
  const [logins, setLogins] = useState(0)
  const { value, error } = useLoad('site', loadSite, logins)
  if (error instanceof LoginNeeded) return <LoginPage onLogin={() => setLogins(logins + 1)} />
  if (error)
    return (
      <main class="page">
        <Failed error={error} what="The explorer" />
      </main>
    )
  const { session, nodes } = value ?? nothing
  return value && <Shown key={logins} session={session} nodes={nodes} onLogin={() => setLogins(logins + 1)} />
}

function Shown({ session, nodes, onLogin }: { session: Session; nodes: readonly NodeEntry[]; onLogin: () => void }) {
  const [path, setPath] = useState(() => readKept('node', ''))
  const node = nodes.find((one) => one.path === path) ?? nodes[0] ?? { name: 'node', path: '' }
  const parts = useMemo(() => {
    const ask = createAsk(node.path)
    showContractsOf(ask, session.sources)
    return { ask, head: createHead(node.path, ask) }
  }, [node.path, session])
  useEffect(() => () => parts.head.stop(), [parts])
  const site = useMemo(
    () => ({
      ...parts,
      node,
      nodes,
      namespaces: new Set(session.namespaces),
      sources: session.sources,
      chooseNode(chosen: NodeEntry) {
        keep('node', chosen.path)
        setPath(chosen.path)
      },
    }),
    [parts, node, nodes, session],
  )
  const { error } = useLoad(`login ${node.path}`, () => parts.ask('eth_chainId'))
  if (error instanceof LoginNeeded) return <LoginPage onLogin={onLogin} />
  return (
    <SiteContext.Provider value={site}>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        To the content
      </button>
      <PageHeader />
      <main class="page" id="main" tabIndex={-1}>
        <NetworkBanner />
        <Page />
      </main>
    </SiteContext.Provider>
  )
}
