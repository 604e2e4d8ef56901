import type { Hex } from 'viem'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { Card } from '../../parts/Card.tsx'
import { Empty } from '../../parts/Notes.tsx'

/** How the sources of a contract come here. */
export function VerifyHints({ address }: { address: Hex }) {
  const { ask, node, sources } = useSite()
  const { value: chainId } = useLoad(`chain id ${node.path}`, () => ask<Hex>('eth_chainId'))
  if (!sources)
    return (
      <Card title="Sources">
        <Empty>This node keeps no sources: its operator can enable that with --explorer-sources-enabled.</Empty>
      </Card>
    )
  const base = new URL('.', location.href.split('#')[0]).href
  return (
    <Card title="Sources">
      <Empty>No sources of this contract are verified. Tools do that at this address:</Empty>
      <pre class="mono commands">
        {`forge verify-contract ${address} src/File.sol:Name \\\n  --chain ${Number(chainId ?? 0)} --verifier sourcify --verifier-url ${base}`}
      </pre>
      <p class="soft">
        Hardhat: <code>sourcify.apiUrl</code> is <code>{base.slice(0, -1)}</code>. Tools of Etherscan take{' '}
        <code>{base}api</code>.
      </p>
    </Card>
  )
}
