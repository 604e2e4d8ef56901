// Keys, genesis file and votes of a network. The jobs of this chart run it: `prepare` before Helm changes the pods, `settle` after that.
// What it makes are a Secret and a ConfigMap that Helm does not own, and does not delete.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const {
  name,
  namespace,
  validators: count,
  rotations,
  genesis,
} = JSON.parse(readFileSync(new URL('wanted.json', import.meta.url), 'utf8'))
const env = process.env
const quoin = env.QUOIN_PROGRAM ?? '/opt/quoin/bin/quoin'
const account = '/var/run/secrets/kubernetes.io/serviceaccount'
const api = env.KUBERNETES_API ?? `https://${env.KUBERNETES_SERVICE_HOST}:${env.KUBERNETES_SERVICE_PORT}`
const minutes = Number(env.KEEPER_MINUTES ?? 15)
const rotated = 'quoin/rotations'
const mixHash = '0x63746963616c2062797a616e74696e65206661756c7420746f6c6572616e6365'

const podOf = (index) => `${name}-validator-${index}`
const hostOf = (pod) => `${pod}.${name}-validator`
const say = (text) => console.log(text)
const base64 = (text) => Buffer.from(text).toString('base64')
const textOf = (data) => Buffer.from(data, 'base64').toString()

/** Asks the cluster; undefined for what is not there. */
async function cluster(method, path, body) {
  let token = ''
  try {
    token = readFileSync(join(account, 'token'), 'utf8')
  } catch {
    // A test has none.
  }
  const send = () =>
    fetch(`${api}/api/v1/namespaces/${namespace}/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  // A connection that was idle while quoin ran may be closed by now.
  const response = await send().catch(send)
  if (response.status === 404) return undefined
  if (!response.ok)
    throw new Error(`the cluster refuses ${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Writes an object that was read before, or a new one; somebody else's change in between is an error. */
async function write(kind, object) {
  const isNew = object.metadata.resourceVersion === undefined
  const path = isNew ? kind : `${kind}/${object.metadata.name}`
  return cluster(isNew ? 'POST' : 'PUT', path, { apiVersion: 'v1', ...object })
}

/** Runs quoin with a text in a file. */
function run(text, ...args) {
  const folder = mkdtempSync(join(tmpdir(), 'keeper-'))
  try {
    const file = join(folder, 'input')
    writeFileSync(file, text, { mode: 0o600 })
    return execFileSync(
      quoin,
      args.map((arg) => arg.replace('FILE', file)),
      { encoding: 'utf8', cwd: folder },
    ).trim()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const addressOf = (key) =>
  /0x[0-9a-f]{40}\b/.exec(run(key, 'public-key', 'export-address', '--node-private-key-file=FILE'))[0]
const publicKeyOf = (key) =>
  /0x([0-9a-f]{128})\b/.exec(run(key, 'public-key', 'export', '--node-private-key-file=FILE'))[1]

async function ask(pod, method, ...params) {
  const response = await fetch(`http://${hostOf(pod)}:8545`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(10_000),
  })
  const { result, error } = await response.json()
  if (error) throw new Error(`${pod}: ${method}: ${error.message}`)
  return result
}

/** Waits until something is so; says now and then for what. */
async function until(what, isSo) {
  const end = Date.now() + minutes * 60_000
  for (let asked = 0; ; asked++) {
    let reason = ''
    try {
      if (await isSo()) return
    } catch (error) {
      reason = `: ${error.cause?.code ?? error.message}`
    }
    if (Date.now() > end) throw new Error(`${what}: not within ${minutes} minutes${reason}`)
    if (asked % 15 === 14) say(`waiting: ${what}${reason}`)
    await delay(2000)
  }
}

/** The keys that there are, by pod, and the Secret that holds them. */
async function readKeys() {
  const secret = (await cluster('GET', `secrets/${name}-keys`)) ?? { metadata: { name: `${name}-keys` }, data: {} }
  secret.metadata.annotations ??= {}
  const keys = new Map(Object.entries(secret.data ?? {}).map(([pod, data]) => [pod, textOf(data)]))
  const known = Object.fromEntries([...keys].map(([pod, key]) => [pod, addressOf(key)]))
  return { secret, keys, known, generations: JSON.parse(secret.metadata.annotations[rotated] ?? '{}') }
}

async function writeKeys({ secret, keys, generations }) {
  const data = Object.fromEntries([...keys].map(([pod, key]) => [pod, base64(key)]))
  const annotations = { ...secret.metadata.annotations, [rotated]: JSON.stringify(generations) }
  const written = await write('secrets', {
    ...secret,
    kind: 'Secret',
    type: 'Opaque',
    data,
    metadata: { ...secret.metadata, annotations },
  })
  secret.metadata = written.metadata
}

const newKey = () => `0x${randomBytes(32).toString('hex')}`
const wantedPods = () => Array.from({ length: count }, (_, index) => podOf(index))

/** What the validators are, as any of the pods says. */
async function validatorsBy(pods) {
  let last
  for (const pod of pods)
    try {
      return await ask(pod, 'qbft_getValidatorsByBlockNumber', 'latest')
    } catch (error) {
      last = error
    }
  throw last ?? new Error('there is nobody to ask')
}

/** Has the validators of this release vote, and waits for the outcome; says so if others have to vote too. */
async function vote(known, address, isIn) {
  const pods = Object.keys(known)
  const now = await validatorsBy(pods)
  if (now.includes(address) === isIn) return
  const voters = pods.filter((pod) => now.includes(known[pod]))
  const what = `${address} is voted ${isIn ? 'in' : 'out'}`
  say(`${what} by ${voters.join(', ')}`)
  const propose = (method, ...more) => Promise.allSettled(voters.map((pod) => ask(pod, method, address, ...more)))
  if (2 * voters.length <= now.length) {
    await propose('qbft_proposeValidatorVote', isIn)
    const rest = `qbft_proposeValidatorVote("${address}", ${isIn}) at validators elsewhere has to make a majority of ${now.length}`
    if (isIn) return say(rest)
    say(rest)
  }
  await until(what, async () => {
    // Again and again: a pod may have been away, and an epoch forgets votes.
    await propose('qbft_proposeValidatorVote', isIn)
    return (await validatorsBy(pods)).includes(address) === isIn
  })
  await propose('qbft_discardValidatorVote')
}

/** The genesis file with the first validators in it. */
function genesisWith(addresses) {
  if (!genesis.config?.qbft) throw new Error('genesis.config.qbft is missing: this chart makes networks of QBFT')
  const extraData = run(JSON.stringify(addresses), 'rlp', 'encode', '--type=QBFT_EXTRA_DATA', '--from=FILE')
  return { ...genesis, mixHash, coinbase: `0x${'0'.repeat(40)}`, extraData }
}

async function writeNetwork(map, keys, file) {
  const enodes = wantedPods().map((pod) => `enode://${publicKeyOf(keys.get(pod))}@${hostOf(pod)}:30303`)
  const data = { 'genesis.json': file, 'static-nodes.json': JSON.stringify(enodes, undefined, 2) }
  await write('configmaps', { ...map, kind: 'ConfigMap', data })
}

/** Keys for all pods, the genesis file once; who is to go is voted out. */
async function prepare() {
  const state = await readKeys()
  const { keys, known, generations } = state
  const map = await cluster('GET', `configmaps/${name}-network`)
  if (map && keys.size === 0) throw new Error(`the Secret ${name}-keys is gone, the network is not: restore it`)
  for (const pod of wantedPods()) if (!keys.has(pod)) keys.set(pod, newKey())
  if (!map) {
    for (const [index, generation] of Object.entries(rotations)) generations[index] = generation
    await writeKeys(state)
    const file = JSON.stringify(genesisWith(wantedPods().map((pod) => addressOf(keys.get(pod)))), undefined, 2)
    await writeNetwork({ metadata: { name: `${name}-network` } }, keys, file)
    return say(`a network of ${count} validators is prepared`)
  }
  const leaving = Object.keys(known).filter((pod) => !wantedPods().includes(pod))
  for (const pod of leaving.sort().reverse()) await vote(known, known[pod], false)
  await writeKeys(state)
  for (const [index, generation] of Object.entries(rotations)) {
    const pod = podOf(index)
    if (generation <= (generations[index] ?? 0) || !wantedPods().includes(pod)) continue
    if (known[pod]) await vote(known, known[pod], false)
    keys.set(pod, newKey())
    generations[index] = generation
    await writeKeys(state)
    // It reads its key when it starts.
    await cluster('DELETE', `pods/${pod}`)
    say(`${pod} has a new key`)
  }
  await writeNetwork(map, keys, map.data['genesis.json'])
}

/** Who is new is voted in, once in sync. */
async function settle() {
  const { known } = await readKeys()
  const others = Object.keys(known)
  for (const pod of wantedPods()) {
    await until(`${pod} is in sync`, async () => {
      if ((await ask(pod, 'eth_syncing')) !== false) return false
      const own = Number(await ask(pod, 'eth_blockNumber'))
      const heads = await Promise.allSettled(others.map((other) => ask(other, 'eth_blockNumber')))
      return heads.every(({ value }) => value === undefined || Number(value) <= own + 3)
    })
    await vote(known, known[pod], true)
  }
  say(`validators: ${(await validatorsBy(others)).join(', ')}`)
}

const steps = { prepare, settle }
try {
  await steps[process.argv[2]]()
} catch (error) {
  console.error(error.cause ? `${error.message}: ${error.cause.message}` : error.message)
  process.exitCode = 1
}
