import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { devAccounts } from '../../../src/forks/devGenesis.ts'
import type { Checks } from '../../interop/checks.ts'
import { runCommand } from '../../interop/command.ts'
import { advance, eventually, guest, hashAt, heightOf } from '../../interop/rpcNode.ts'
import { type Lab, NoLab, openLab } from '../../netlab/lab.ts'
import type { Suite, SuiteTerms } from '../suite.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { chartFolder, helm, kubeconform, kubernetesVersion, objectsOf, render, runs } from './helm.ts'
import { writeSchemas } from './schemas.ts'

const { address: rich, privateKey } = devAccounts[0]!
/** Values of the network: free gas, an account with ether, short periods. */
const network = [
  'genesis.config.qbft.blockperiodseconds=1',
  'genesis.config.qbft.requesttimeoutseconds=2',
  `genesis.alloc.0x${rich}.balance=0xad78ebc5ac6200000`,
]
const maxValidators = 5
const maxReaders = 3
/** The switchboard's own side of the lab. */
const controller = '10.77.0.1'
const calm = { delay: 0, jitter: 0, loss: 0, reorder: 0 }

const podNames = [
  ...Array.from({ length: maxValidators }, (_, i) => `net-validator-${i}.net-validator`),
  ...Array.from({ length: maxReaders }, (_, i) => `net-reader-${i}.net-reader`),
]

/** Sets of values under which the chart has to be good Kubernetes. */
const valueSets: readonly (readonly string[])[] = [
  [],
  ['validators.count=7', 'readers.explorer=true', 'readers.autoscaling.enabled=true'],
  ['existingNetwork=theirs', 'validators.count=0', 'readers.service.type=LoadBalancer'],
  ['readers.count=0', 'networkPolicy=false', 'imagePullSecrets[0].name=registry', 'validators.storage.className=fast'],
]

async function checkTemplates(checks: Checks, folder: string): Promise<void> {
  const lint = await runCommand(helm, ['lint', chartFolder, '--strict'])
  checks.equal('helm lint', lint.code === 0 ? 0 : lint.stdout, 0)
  for (const wrong of [['existingNetwork=x'], ['validators.count=0']]) {
    const outcome = await render(wrong).then(
      () => 'rendered',
      (error: Error) => error.message,
    )
    checks.equal(`${wrong} is refused`, /existingNetwork/.test(outcome) || outcome, true)
  }
  if (!runs(kubeconform, '-v')) return checks.note('without kubeconform: KUBECONFORM or PATH have to name it')
  const schemas = join(folder, 'schemas')
  const objects = (await Promise.all(valueSets.map(objectsOf))).flat()
  const missing = await writeSchemas(schemas, objects)
  if (missing) return checks.note(`without schemas: ${missing}`)
  const location = `${schemas}/{{ .ResourceKind }}{{ .KindSuffix }}.json`
  const options = ['-strict', '-kubernetes-version', kubernetesVersion, '-schema-location', location]
  for (const [i, values] of valueSets.entries()) {
    const file = join(folder, `values${i}.yaml`)
    const text = await render(values)
    writeFileSync(file, text)
    const { code, stdout } = await runCommand(kubeconform, [...options, '-summary', file])
    checks.equal(`kubeconform: ${values.join(', ') || 'the defaults'}`, code === 0 ? 0 : stdout, 0)
    // The schemas do see mistakes.
    writeFileSync(file, text.replaceAll('podSelector:', 'podsSelector:').replaceAll('serviceName:', 'servicesName:'))
    checks.equal('kubeconform sees a misspelled key', (await runCommand(kubeconform, [...options, file])).code, 1)
  }
}

const validatorsOf = (cluster: Cluster) =>
  cluster.pods('validator')[0]!.node.call<string[]>('qbft_getValidatorsByBlockNumber', 'latest')

/** Each pod is ready, as Kubernetes would ask it. */
async function allReady(cluster: Cluster): Promise<void> {
  for (const { name, readiness } of [...cluster.pods('validator'), ...cluster.pods('reader')])
    await eventually(`${name} is ready`, async () => (await fetch(readiness)).ok)
}

/** Whether a transaction that one reader takes is seen by another. */
async function transferThroughReaders(cluster: Cluster, nonce: number): Promise<void> {
  const [first, ...others] = cluster.pods('reader')
  const raw = await privateKeyToAccount(`0x${privateKey}`).signTransaction({
    chainId: 1337,
    nonce,
    to: guest as `0x${string}`,
    value: 1n,
    gas: 21_000n,
    gasPrice: 0n,
  })
  const hash = await first!.node.call<string>('eth_sendRawTransaction', raw)
  for (const { name, node } of others)
    await eventually(`${name} has the receipt`, () => node.call('eth_getTransactionReceipt', hash))
}

async function runNetwork({ checks }: SuiteTerms, cluster: Cluster): Promise<void> {
  const nodes = () => [...cluster.pods('validator'), ...cluster.pods('reader')].map(({ node }) => node)
  const upgrade = async (...values: readonly string[]) => cluster.apply(await objectsOf([...network, ...values]))
  await checks.step('helm install starts four validators and two readers', async () => {
    await upgrade()
    await allReady(cluster)
    await advance(nodes(), 3)
  })
  await checks.step('a transaction through one reader is seen at the other', () => transferThroughReaders(cluster, 0))
  const first = await validatorsOf(cluster)
  checks.equal('the network has four validators', first.length, 4)
  await checks.step('an upgrade that changes nothing changes nothing', () => upgrade())
  checks.equal('the validators are the same', await validatorsOf(cluster), first)

  await checks.step('a fifth validator is started and voted in', () => upgrade('validators.count=5'))
  const five = await validatorsOf(cluster)
  checks.equal('four of the five were there before', five.filter((one) => first.includes(one)).length, 4)
  checks.equal('the network has five validators', five.length, 5)
  await checks.step('it makes blocks', async () => {
    const added = five.find((one) => !first.includes(one))
    const { node } = cluster.pods('validator')[0]!
    await eventually('a block of the fifth', async () => {
      const block = await node.call<{ miner: string }>('eth_getBlockByNumber', 'latest', false)
      return block.miner === added
    })
  })

  await checks.step('a validator gets a new key', () => upgrade('validators.count=5', 'validators.rotations.1=1'))
  const rotated = await validatorsOf(cluster)
  checks.equal('five validators again', rotated.length, 5)
  checks.equal('four of them as before', rotated.filter((one) => five.includes(one)).length, 4)
  await checks.step('all go on', () => advance(nodes(), 5))

  await checks.step('a third reader fetches the chain and answers', async () => {
    await upgrade('validators.count=5', 'validators.rotations.1=1', 'readers.count=3')
    await allReady(cluster)
    await transferThroughReaders(cluster, 1)
  })
  await checks.step('the fifth validator is voted out and ended', async () => {
    await upgrade('validators.rotations.1=1', 'readers.count=3')
    await advance(nodes(), 5)
  })
  checks.equal('four validators are left', (await validatorsOf(cluster)).length, 4)
  checks.equal('four pods are left', cluster.pods('validator').length, 4)
  const height = Math.min(...(await Promise.all(nodes().map(heightOf))))
  const hashes = await Promise.all(nodes().map((node) => hashAt(node, height)))
  checks.equal('all have the same chain', new Set(hashes).size, 1)
  cluster.api.objects.delete('secrets/net-keys')
  const lost = await upgrade().then(
    () => 'it went on',
    (error: Error) => error.message,
  )
  checks.equal(
    'an upgrade without the keys is refused',
    lost,
    'the Secret net-keys is gone, the network is not: restore it',
  )
}

export const chart: Suite = {
  name: 'chart',
  doc: 'The Helm chart: lint, schemas, and its network in namespaces: install, more validators, new keys, readers.',
  onlyByName: true,
  whyNot: () => (runs(helm, 'version') ? undefined : 'Helm is needed: HELM or PATH have to name it'),
  async run(terms) {
    const { checks, folder } = terms
    await checkTemplates(checks, folder)
    let lab: Lab
    try {
      lab = await openLab({ places: podNames.length + 1, weather: calm, random: Math.random })
    } catch (error) {
      if (!(error instanceof NoLab)) throw error
      return checks.note(`without namespaces: ${error.message}`)
    }
    const cluster = await openCluster(folder, lab, controller, podNames)
    try {
      await runNetwork(terms, cluster)
    } finally {
      await cluster.close()
      await lab.close()
    }
  },
}
