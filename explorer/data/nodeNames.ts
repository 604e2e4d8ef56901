import { useNetworkState } from './networkState.ts'

/** Names of the nodes that the page's server knows, by address in lower case; empty where there is only one. */
export function useNodeNames(): ReadonlyMap<string, string> {
  const { state } = useNetworkState()
  const nodes = state?.nodes ?? []
  if (nodes.length < 2) return new Map()
  return new Map(nodes.flatMap(({ name, address }) => (address ? [[address.toLowerCase(), name]] : [])))
}
