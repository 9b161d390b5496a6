# Which lines of a script of Ruby are executed, by Coverage and TracePoint.
#
# Run as `ruby -e THIS`, the script's path in PARE_REACH.  Writes "= N" for each line that has code,
# and "+ N" when a line is executed for the first time, to descriptor 9: what was written stays when
# the interpreter dies.
require 'coverage'
pare_path = File.realpath(ENV['PARE_REACH'])
pare_out = IO.for_fd(9, 'w')
pare_out.sync = true
Coverage.start
pare_seen = {}
pare_trace = TracePoint.new(:line) do |point|
  if point.path == pare_path
    if pare_seen.empty?
      lines = Coverage.peek_result[pare_path] || []
      pare_out.write((1..lines.size).map { |n| lines[n - 1] ? "= #{n}\n" : '' }.join)
    end
    unless pare_seen[point.lineno]
      pare_seen[point.lineno] = true
      pare_out.write("+ #{point.lineno}\n")
    end
  end
end
ARGV.clear
$0 = pare_path
pare_trace.enable
load pare_path
