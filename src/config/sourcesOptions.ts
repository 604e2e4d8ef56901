import { option, unset } from './option.ts'
import { boolean, path } from './values.ts'

/** Sources of contracts, which the explorer keeps; `quoin network` has the same options. */
export const sourcesOptions = {
  'explorer-sources-enabled': option(
    boolean,
    false,
    'explorer',
    'Verify and keep sources of contracts: the APIs of Sourcify (/v2) and Etherscan (/api) at the port of the explorer, which shows them.',
  ),
  'explorer-sources-compilers': option(
    path('DIRECTORY'),
    unset("npm's solc, where it is installed"),
    'explorer',
    'Directory of Solidity compilers: soljson files and programs of its releases, or packages of npm. Nothing is downloaded.',
  ),
  'explorer-sources-open-abis': option(
    boolean,
    false,
    'explorer',
    'Everybody who reaches the explorer may give ABIs without sources for all. Where users log in, those may who have the permission sources:share.',
  ),
}
