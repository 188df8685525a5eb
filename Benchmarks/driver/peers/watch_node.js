// watch_node.js FOLDER NAME
const fs = require("fs")
const path = require("path")

const [folder, name] = process.argv.slice(2)
const file = path.join(folder, name)
let last
fs.watch(folder, (event, changed) => {
  if (changed !== name) return
  let data
  try { data = fs.readFileSync(file) } catch { return }
  const instant = process.hrtime.bigint()
  const number = /\d+/.exec(data.toString("latin1", 0, 200))
  if (!number || number[0] === last) return
  last = number[0]
  fs.writeSync(1, `${last} ${instant}\n`)
})
process.stdin.on("end", () => process.exit(0)).resume()
fs.writeSync(1, "ready\n")
