import { createChecks } from '../interop/checks.ts'
import { withCampaignFolder } from '../support/campaignFolder.ts'
import { countOf, numberOf, oneOf, runCampaign } from '../support/runCampaign.ts'
import { runChaos } from './runChaos.ts'

const usage = `Usage: npm run chaos -- [--minutes M] [--seed S] [--validators N] [--consensus ENGINE]

A network of real nodes under kill -9, SIGSTOP, partitions, slow links, wrong clocks, a full disk and transactions.
Partitions need root and iproute2; what this machine cannot do is left out and told.

--minutes M         How long (default 5).
--seed S            Decides what happens when (default: taken from the clock).
--validators N      4 to 10 (default 4).
--consensus ENGINE  qbft (default) or ibft2.
`

const text = { type: 'string' } as const

await runCampaign({
  usage,
  options: { minutes: text, seed: text, validators: text, consensus: text },
  endsOnSignal: true,
  async run({ values, signal, print }) {
    const checks = createChecks(print)
    const options = {
      minutes: numberOf('minutes', values.minutes, 5, 0, 24 * 60),
      seed: numberOf('seed', values.seed, Date.now() % 1_000_000, 0, 2 ** 31),
      validators: countOf('validators', values.validators, 4, 4, 10),
      consensus: oneOf('consensus', ['qbft', 'ibft2'], values.consensus ?? 'qbft'),
      signal,
      checks,
      print,
    }
    await withCampaignFolder('chaos', (folder) =>
      checks.step('runs to its end', () => runChaos({ ...options, folder })),
    )
    return checks
  },
})
