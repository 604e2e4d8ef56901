import { useState } from 'preact/hooks'
import { type Abi, decodeAbiParameters, type Hex } from 'viem'
import { type Decoded, pairValues } from '../../decode/decoded.ts'
import { formatCount } from '../../format/numbers.ts'
import { formatTime } from '../../format/times.ts'
import { Card, Fact, Facts } from '../../parts/Card.tsx'
import { Copy } from '../../parts/Copy.tsx'
import { DecodedValues } from '../../parts/DecodedValues.tsx'
import { AddressLink } from '../../parts/Links.tsx'
import { Failed, Waiting } from '../../parts/Notes.tsx'
import { Text } from '../../parts/Text.tsx'
import { useVerified, type VerifiedSources } from './useVerified.ts'
import { VerifyHints } from './VerifyHints.tsx'

const step = 400

/** How far sources are proven, in words. */
export function MatchTag({ match }: { match: 'exact_match' | 'match' }) {
  return match === 'exact_match' ? (
    <span class="tag good">verified exactly</span>
  ) : (
    <span class="tag" title="The code is that of the sources; names and comments in them are not proven">
      verified, but for names and comments
    </span>
  )
}

/** Sources of a contract, or how they are verified. */
export function Sources({ address }: { address: Hex }) {
  const { known, verified, error } = useVerified(address)
  if (!known?.match) return <VerifyHints address={address} />
  if (error) return <Failed error={error} what="The sources" />
  if (!verified)
    return (
      <Card title="Sources">
        <Waiting lines={8} />
      </Card>
    )
  return (
    <>
      <About known={known} verified={verified} />
      <Files verified={verified} />
    </>
  )
}

function About({ known, verified }: { known: ReturnType<typeof useVerified>['known']; verified: VerifiedSources }) {
  const { compilation, verifiedAt, creationBytecode, runtimeBytecode } = verified
  const given = decodeArguments(known?.abi, creationBytecode.transformationValues?.constructorArguments)
  const libraries = Object.entries(
    runtimeBytecode.transformationValues?.libraries ?? creationBytecode.transformationValues?.libraries ?? {},
  )
  return (
    <Card title="Verified sources" side={<MatchTag match={verified.match} />}>
      <Facts>
        <Fact name="Contract">
          <Text value={compilation.fullyQualifiedName} code max={200} />
        </Fact>
        <Fact name="Compiler">
          {compilation.language}, solc <Text value={compilation.compilerVersion} max={60} />
        </Fact>
        <Fact name="Verified">{formatTime(Date.parse(verifiedAt) / 1000)}</Fact>
        {known?.like && (
          <Fact name="Same code as">
            <AddressLink address={known.like} full />
          </Fact>
        )}
        {libraries.map(([name, library]) => (
          <Fact key={name} name="Library">
            <Text value={name} max={100} /> <AddressLink address={library} />
          </Fact>
        ))}
      </Facts>
      {given && !known?.like && <DecodedValues decoded={given} />}
      <details>
        <summary>Settings of the compiler</summary>
        <Text value={JSON.stringify(compilation.compilerSettings, undefined, 1)} code max={4000} />
      </details>
    </Card>
  )
}

function decodeArguments(abi: Abi | undefined, data: Hex | undefined): Decoded | undefined {
  const inputs = abi?.find((item) => item.type === 'constructor')?.inputs
  if (!inputs || data === undefined) return undefined
  try {
    return { name: 'Arguments of the constructor', values: pairValues(inputs, decodeAbiParameters(inputs, data)) }
  } catch {
    return undefined
  }
}

function Files({ verified: { sources, compilation } }: { verified: VerifiedSources }) {
  const own = compilation.fullyQualifiedName.slice(0, compilation.fullyQualifiedName.lastIndexOf(':'))
  const paths = Object.keys(sources).sort((a, b) => Number(b === own) - Number(a === own) || a.localeCompare(b))
  return (
    <Card title="Files" side={<span class="soft number">{formatCount(paths.length)}</span>}>
      {paths.map((path) => (
        <SourceFile key={path} path={path} content={sources[path]!.content} isOpen={path === own} />
      ))}
    </Card>
  )
}

function SourceFile({ path, content, isOpen }: { path: string; content: string; isOpen: boolean }) {
  const [open, setOpen] = useState(isOpen)
  const [shown, setShown] = useState(step)
  const lines = open ? content.split(/\r\n|\r|\n/) : []
  return (
    <details class="source" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Text value={path} code max={200} />
      </summary>
      {open && (
        <>
          <p class="soft number">
            {formatCount(lines.length)} lines <Copy text={content} what={`source ${path.slice(0, 80)}`} />
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard. */}
          <section class="pane" tabIndex={0} aria-label={`Source ${path.slice(0, 80)}`}>
            <ol class="lines mono">
              {lines.slice(0, shown).map((line, i) => (
                <li key={i}>
                  <Text value={line} max={500} />
                </li>
              ))}
            </ol>
          </section>
          {lines.length > shown && (
            <button type="button" class="button" onClick={() => setShown(shown + 10 * step)}>
              {formatCount(lines.length - shown)} more lines
            </button>
          )}
        </>
      )}
    </details>
  )
}
