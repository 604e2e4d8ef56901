import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'

/** Values over blocks. */
export interface Series {
  readonly blocks: readonly number[]
  readonly values: readonly number[]
}

function optionsOf(
  width: number,
  height: number,
  style: 'bars' | 'line',
  format: (value: number) => string,
): uPlot.Options {
  const css = getComputedStyle(document.documentElement)
  const colour = (name: string) => css.getPropertyValue(`--${name}`).trim()
  const font = `11px ${css.getPropertyValue('--sans')}`
  const axis = { stroke: colour('soft'), font, ticks: { show: false } }
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    scales: {
      x: { time: false, range: (_, min, max) => (style === 'bars' ? [min - 0.6, max + 0.6] : [min, max]) },
      y: { range: (_, min, max) => [Math.min(0, min), max <= 0 ? 1 : max * 1.1] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 80,
        values: (_, ticks) => ticks.map((tick) => tick.toLocaleString('en')),
      },
      {
        ...axis,
        grid: { stroke: colour('line'), width: 1 },
        size: 44,
        space: 30,
        values: (_, ticks) => ticks.map(format),
      },
    ],
    series: [
      {},
      {
        stroke: colour('accent'),
        width: style === 'bars' ? 0 : 1.5,
        fill: style === 'bars' ? colour('accent') : colour('accent-faint'),
        points: { show: false },
        ...(style === 'bars' ? { paths: uPlot.paths.bars!({ size: [0.7, 24] }) } : {}),
      },
    ],
  }
}

/** A small chart of values over blocks; `summary` says it in words. */
export function Chart({
  data,
  summary,
  format,
  style = 'bars',
  height = 140,
}: {
  data: Series | undefined
  summary: string
  format: (value: number) => string
  style?: 'bars' | 'line'
  height?: number
}) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const latest = useRef(data)
  latest.current = data

  // biome-ignore lint/correctness/useExhaustiveDependencies: the chart is made once; its data follow below.
  useEffect(() => {
    const draw = () => {
      if (!place.current) return
      plot.current?.destroy()
      const { clientWidth } = place.current
      const { blocks = [], values = [] } = latest.current ?? {}
      plot.current = new uPlot(optionsOf(clientWidth, height, style, format), [[...blocks], [...values]], place.current)
    }
    draw()
    const observer = new ResizeObserver(([entry]) => plot.current?.setSize({ width: entry!.contentRect.width, height }))
    observer.observe(place.current!)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    scheme.addEventListener('change', draw)
    addEventListener('quoin-theme', draw)
    return () => {
      observer.disconnect()
      scheme.removeEventListener('change', draw)
      removeEventListener('quoin-theme', draw)
      plot.current?.destroy()
    }
  }, [])

  useEffect(() => {
    if (data) plot.current?.setData([[...data.blocks], [...data.values]])
  }, [data])

  return <div ref={place} class="chart" role="img" aria-label={summary} style={{ height: `${height}px` }} />
}
