import {
  levelOf,
  type NamedNode,
  type NetworkState,
  type NodeState,
  type Problem,
  sortProblems,
} from '../../rpc/server/networkState.ts'
import { spanText } from './spanText.ts'

/** What is known of one node of several. */
export interface NodeAnswer {
  readonly name: string
  readonly address: string | undefined
  /** Its own verdict; undefined if it gave none. */
  readonly state: NodeState | undefined
  /** Why it gave none. */
  readonly trouble?: NodeTrouble
}

export type NodeTrouble =
  /** It answered before, and does not for so many seconds. */
  | { readonly kind: 'silent'; readonly seconds: number }
  | { readonly kind: 'starting' }
  | { readonly kind: 'down'; readonly reason: string }

/** Blocks by which a node is behind the others. */
const maxBehind = 3

function troubleOf({ name, address, trouble }: NodeAnswer): readonly Problem[] {
  if (!trouble || trouble.kind === 'starting') return []
  const about = address
  if (trouble.kind === 'down')
    return [
      { code: 'down', level: 'warning', text: `${name} does not run: ${trouble.reason}`, advice: 'see its log', about },
    ]
  const text = `${name} does not answer for ${spanText(trouble.seconds)}`
  return [{ code: 'silent', level: 'warning', text, advice: 'its process hangs, or its machine: see its log', about }]
}

/** A node's own problems, with its name in place of "this node". */
function namedProblems({ name, state }: NodeAnswer): readonly Problem[] {
  if (!state) return []
  return state.problems.map((problem) => {
    if (problem.about === undefined) return problem
    const text = problem.text.replace(`this node (${state.address})`, state.address).replace('this node', state.address)
    if (problem.about !== state.address || text.includes(state.address)) return { ...problem, text }
    return { ...problem, text: `${name}: ${text}` }
  })
}

/** Who knows most about the network: whose head is the highest, and of those the one that sees most validators take part. */
function bestOf(states: readonly NodeState[]): NodeState | undefined {
  const missing = ({ validators }: NodeState) => validators?.missing.length ?? 0
  const isMoving = ({ status }: NodeState) => (status === 'standing' ? 1 : 0)
  return [...states].sort((a, b) => b.head - a.head || isMoving(a) - isMoving(b) || missing(a) - missing(b))[0]
}

/** One problem for each thing and node: what a node says of itself before what others say of it. */
function dedupe(problems: readonly Problem[], own: ReadonlySet<Problem>): readonly Problem[] {
  const kept = new Map<string, Problem>()
  for (const problem of [...problems].sort((a, b) => Number(own.has(b)) - Number(own.has(a)))) {
    const key = `${problem.code} ${problem.about ?? ''}`
    if (!kept.has(key)) kept.set(key, problem)
  }
  // Turns that pass have a reason, where something else is known about the same node.
  const explained = new Set([...kept.values()].flatMap(({ code, about }) => (code === 'absent' ? [] : about)))
  return [...kept.values()].filter(({ code, about }) => code !== 'absent' || !explained.has(about))
}

/** Puts together what several nodes of a network know of it, and what is known of those that do not answer. */
export function joinStates(answers: readonly NodeAnswer[]): NetworkState {
  const states = answers.flatMap(({ state }) => state ?? [])
  const best = bestOf(states)
  const behind = answers.flatMap(({ name, state, address }): readonly Problem[] => {
    if (!state || !best || state.head >= best.head - maxBehind) return []
    const text = `${name} is ${(best.head - state.head).toLocaleString('en')} blocks behind`
    return [{ code: 'behind', level: 'warning', text, advice: 'see its log', about: address ?? state.address }]
  })
  const said = answers.flatMap((answer) => namedProblems(answer).map((problem) => ({ problem, answer })))
  const own = new Set(
    said.filter(({ problem, answer }) => problem.about === answer.state?.address).map((one) => one.problem),
  )
  // Of the network as a whole, only what the one who knows most says.
  const shared = said.flatMap(({ problem, answer }) =>
    problem.about !== undefined || answer.state === best ? [problem] : [],
  )
  const names = new Map(
    answers.flatMap(({ name, address, state }) => [[address ?? state?.address ?? '', name] as const]),
  )
  const withNames = (text: string) => {
    let named = text
    for (const [address, name] of names) if (address !== '') named = named.replaceAll(address, name)
    return named
  }
  const problems = sortProblems(dedupe([...shared, ...answers.flatMap(troubleOf), ...behind], own)).map((problem) => ({
    ...problem,
    text: withNames(problem.text),
    advice: withNames(problem.advice),
  }))
  const base = best ?? nobody
  return {
    ...base,
    level: best ? levelOf(problems) : 'error',
    summary: best ? (problems[0]?.text ?? best.summary) : 'no node answers',
    problems,
    nodes: answers.map(namedNode),
  }
}

function namedNode({ name, address, state, trouble }: NodeAnswer): NamedNode {
  return {
    name,
    address: address ?? state?.address,
    head: state?.head,
    status: state?.status ?? trouble?.kind ?? 'silent',
  }
}

const nobody: NodeState = {
  status: 'silent',
  level: 'error',
  summary: '',
  address: '',
  head: 0,
  secondsSinceBlock: 0,
  expectedPeriod: undefined,
  period: undefined,
  validators: undefined,
  peers: undefined,
  problems: [],
}
