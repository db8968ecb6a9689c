/** Each asks `mainstay __complete` what can stand next, so that they never know less than the command line itself. */

const bash = `# bash completion for mainstay
_mainstay() {
  local line current="\${COMP_WORDS[COMP_CWORD]}" words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  COMPREPLY=()
  # bash splits --name=value at the equals sign.
  if [[ "$current" == "=" ]]; then current=""; fi
  while IFS=$'\\t' read -r line _; do
    [[ "$line" == "$current"* ]] && COMPREPLY+=("$line")
  done < <("\${COMP_WORDS[0]}" __complete -- "\${words[@]}" 2>/dev/null)
}
complete -o default -o bashdefault -F _mainstay mainstay
`;

const zsh = `#compdef mainstay
# zsh completion for mainstay
_mainstay() {
  local -a found
  local word summary
  while IFS=$'\\t' read -r word summary; do
    found+=("\${word//:/\\\\:}:\${summary}")
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then
    _describe -V mainstay found
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == _mainstay ]]; then
  _mainstay "$@"
else
  compdef _mainstay mainstay
fi
`;

const fish = `# fish completion for mainstay
function __mainstay_complete
  set -l words (commandline -opc) (commandline -ct)
  $words[1] __complete -- $words[2..-1] 2>/dev/null
end
complete -c mainstay -f -n 'test -n "$(__mainstay_complete)"' -a '(__mainstay_complete)'
`;

const powershell = `# PowerShell completion for mainstay
Register-ArgumentCompleter -Native -CommandName mainstay -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  & mainstay __complete -- @words 2>$null | ForEach-Object {
    $word, $summary = $_ -split "\`t", 2
    if (-not $summary) { $summary = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $summary)
  }
}
`;

export const scripts = { bash, zsh, fish, powershell };
