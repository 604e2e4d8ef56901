import { useState } from 'preact/hooks'
import { useHead } from './data/head.ts'
import { readRecent } from './data/recent.ts'
import { useRoute } from './data/route.ts'
import { useSite } from './data/session.ts'
import { useStatus } from './data/status.ts'
import { applyTheme, readTheme, type Theme } from './data/theme.ts'
import { formatCount } from './format/numbers.ts'
import { search } from './pages/SearchPage.tsx'

interface NavEntry {
  readonly title: string
  readonly route: string
  readonly kinds: readonly string[]
  /** One of them has to be served. */
  readonly namespaces?: readonly string[]
}

const entries: readonly NavEntry[] = [
  { title: 'Network', route: '#/', kinds: [''] },
  { title: 'Blocks', route: '#/blocks', kinds: ['blocks', 'block'] },
  { title: 'Transactions', route: '#/transactions', kinds: ['transactions', 'tx'] },
  { title: 'Pool', route: '#/pool', kinds: ['pool'], namespaces: ['TXPOOL'] },
  { title: 'Validators', route: '#/validators', kinds: ['validators'], namespaces: ['QBFT', 'IBFT', 'CLIQUE'] },
  { title: 'Tokens', route: '#/tokens', kinds: ['tokens', 'token'], namespaces: ['OTS'] },
  { title: 'Private groups', route: '#/groups', kinds: ['groups', 'private'], namespaces: ['PRIV'] },
  { title: 'Permissions', route: '#/permissions', kinds: ['permissions'], namespaces: ['PERM'] },
]

/** The head of every page: where one is, search, node, colours. */
export function PageHeader() {
  const { namespaces: served } = useSite()
  const {
    parts: [kind = ''],
  } = useRoute()
  return (
    <header class="top">
      <a class="brand" href="#/">
        <img src="icon.svg" alt="" width="24" height="24" /> Quoin
      </a>
      <Search />
      <div class="tools">
        <NodeSwitch />
        <ThemeSwitch />
      </div>
      <nav aria-label="Pages">
        {entries
          .filter(({ namespaces }) => !namespaces || namespaces.some((one) => served.has(one)))
          .map(({ title, route, kinds }) => (
            <a key={title} href={route} aria-current={kinds.includes(kind) ? 'page' : undefined}>
              {title}
            </a>
          ))}
        <a href="graphiql.html">GraphQL</a>
        <Liveness />
      </nav>
    </header>
  )
}

function Liveness() {
  const { number, liveness } = useHead()
  const { kind, words } = useStatus()
  return (
    <span class={`liveness ${kind} end`} title={liveness === 'live' ? `${words}; blocks arrive over WebSocket` : words}>
      <span class="visually-hidden">{words}, block</span>{' '}
      <span class="number">{number === undefined ? '…' : formatCount(number)}</span>
    </span>
  )
}

function Search() {
  const [text, setText] = useState('')
  const [recent, setRecent] = useState(readRecent)
  return (
    <search>
      <form
        class="search"
        onSubmit={(event) => {
          event.preventDefault()
          search(text)
          setText('')
          ;(document.activeElement as HTMLElement | null)?.blur()
        }}
        onFocusCapture={() => setRecent(readRecent())}
      >
        <input
          type="search"
          aria-label="Search for a block, transaction or account"
          placeholder="Block, transaction or account"
          spellcheck={false}
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        {recent.length > 0 && (
          <div class="recent">
            <span class="caption">Looked at lately</span>
            <ul>
              {recent.map(({ route, label }) => (
                <li key={route}>
                  <a href={`#/${route}`} onClick={(event) => event.currentTarget.blur()}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )}
      </form>
    </search>
  )
}

function NodeSwitch() {
  const { node, nodes, chooseNode } = useSite()
  if (nodes.length < 2) return null
  return (
    <select
      aria-label="Node"
      value={node.path}
      onChange={(event) => chooseNode(nodes.find(({ path }) => path === event.currentTarget.value)!)}
    >
      {nodes.map(({ name, path }) => (
        <option key={path} value={path}>
          {name}
        </option>
      ))}
    </select>
  )
}

const next: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const signs: Readonly<Record<Theme, string>> = { system: '◐', light: '○', dark: '●' }

function ThemeSwitch() {
  const [theme, setTheme] = useState(readTheme)
  const change = () => {
    applyTheme(next[theme])
    setTheme(next[theme])
  }
  return (
    <button type="button" class="button" onClick={change} aria-label={`Colours: ${theme}`} title={`Colours: ${theme}`}>
      {signs[theme]}
    </button>
  )
}
